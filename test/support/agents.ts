import type { AgentRuntime } from "../../packages/server/src/core/ports/agent-runtime.ts";
import type { AgentInfo, Agents } from "../../packages/server/src/core/ports/agents.ts";

/** A registry of these runtimes by their ids; the first is the default. `copilot` is of its own kind, every other id an ACP agent. */
export function agentsOf(runtimes: Readonly<Record<string, AgentRuntime>>): Agents {
	const known = new Map(Object.entries(runtimes));
	return {
		default: () => [...known.keys()][0] ?? "copilot",
		list: () =>
			[...known].map(([id, runtime]) => ({
				id,
				name: id,
				kind: id === "copilot" ? ("copilot" as const) : ("acp" as const),
				health: runtime.health(),
				capabilities: runtime.capabilities(),
				...choicesOf(runtime),
			})),
		installable: () => [],
		find: (id) => known.get(id),
		refresh: async () => undefined,
		onChange(listener) {
			const stops = [...known].map(([id, runtime]) => runtime.onHealth(() => listener(id)));
			return () => {
				for (const stop of stops) stop();
			};
		},
		async close() {
			await Promise.all([...known.values()].map((runtime) => runtime.close()));
		},
	};
}

function choicesOf(runtime: AgentRuntime): Pick<AgentInfo, "choices"> {
	const choices = runtime.choices?.();
	return choices === undefined ? {} : { choices };
}
