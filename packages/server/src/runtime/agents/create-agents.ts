import type { AgentRuntime } from "../../core/ports/agent-runtime.ts";
import { type Agents, COPILOT_AGENT } from "../../core/ports/agents.ts";

/** The agents of this server: Copilot alone, until others are configured. */
export function createAgents({ copilot }: { copilot: AgentRuntime }): Agents {
	return {
		default: () => COPILOT_AGENT,
		list: () => [
			{ id: COPILOT_AGENT, name: "GitHub Copilot", kind: "copilot", health: copilot.health(), capabilities: copilot.capabilities() },
		],
		find: (id) => (id === COPILOT_AGENT ? copilot : undefined),
		refresh: async () => undefined,
		onChange: (listener) => copilot.onHealth(() => listener(COPILOT_AGENT)),
		close: () => copilot.close(),
	};
}
