import type { Clock } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { AgentRuntime } from "../../core/ports/agent-runtime.ts";
import { type AgentInfo, type Agents, COPILOT_AGENT, type SeenAgents } from "../../core/ports/agents.ts";
import type { Programs } from "../../core/ports/programs.ts";
import { type AcpAgent, createAcpAgent, type Presence } from "./acp-agent.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { type ConfiguredAgent, type DefinedAgent, defineAgents } from "./define-agents.ts";
import { type FoundPrograms, findPrograms } from "./find-programs.ts";

export interface AgentsDeps {
	/** Closed by whoever made it. */
	copilot: AgentRuntime;
	/** Those of the configuration. */
	configured?: readonly ConfiguredAgent[];
	/** The agent that a person chose for new conversations; one that nobody knows any more counts as not chosen. */
	wanted?(): string;
	programs: Programs;
	/** Where programs are looked for. */
	path: string;
	/** Loads what drives an agent over ACP. */
	load(definition: AgentDefinition): Promise<AgentRuntime>;
	/** Agents as their last session had them. */
	seen: SeenAgents;
	clock: Clock;
	logger: Logger;
}

/** The agents of this server: Copilot, those of the configuration, and those that are found on this machine. Looks for none before somebody asks. */
export function createAgents(deps: AgentsDeps): Agents {
	const { copilot, clock, logger, load, seen, programs, path } = deps;
	const defined = defineAgents(deps.configured ?? []);
	const agents = new Map<string, AcpAgent>();
	for (const { definition } of defined) agents.set(definition.id, createAcpAgent({ definition, look: refresh, load, seen }));
	const wanted = [
		...new Set(defined.flatMap(({ definition, behind }) => [definition.command[0], ...(behind === undefined ? [] : [behind])])),
	];
	let looking: Promise<void> | undefined;
	let looks = 0;

	/** Looks that are asked for at once are one look. */
	function refresh(): Promise<void> {
		looking ??= look().finally(() => {
			looking = undefined;
		});
		return looking;
	}

	async function look(): Promise<void> {
		const number = ++looks;
		take(await findPrograms(wanted, { path, programs, clock, onLater: (seen) => number === looks && take(seen) }));
	}

	function take(seen: FoundPrograms): void {
		for (const agent of defined) {
			const there = agents.get(agent.definition.id);
			if (there !== undefined) there.place(presenceOf(agent, seen, there.presence()));
		}
		logger.debug({ found: [...seen.found.keys()], complete: seen.complete }, "Looked for agents");
	}

	function find(id: string): AgentRuntime | undefined {
		return id === COPILOT_AGENT ? copilot : agents.get(id);
	}

	function defaultAgent(): string {
		const id = deps.wanted?.() ?? COPILOT_AGENT;
		return find(id) === undefined ? COPILOT_AGENT : id;
	}

	function isOffered({ from, definition }: DefinedAgent): boolean {
		if (from === "configuration" || definition.id === defaultAgent()) return true;
		const agent = agents.get(definition.id);
		const presence = agent?.presence();
		return agent?.isLoaded() === true || presence?.state === "found" || (presence?.state === "missing" && presence.behind);
	}

	return {
		default: defaultAgent,
		list() {
			const others = defined.filter(isOffered).flatMap(({ definition }) => {
				const agent = agents.get(definition.id);
				return agent === undefined ? [] : [infoOf(agent)];
			});
			return [copilotInfo(copilot), ...others];
		},
		installable: () =>
			defined.flatMap((agent) => {
				const { id, name, installCommand } = agent.definition;
				return installCommand === undefined || isOffered(agent) ? [] : [{ id, name, installCommand }];
			}),
		find,
		refresh,
		onChange(listener) {
			const offs = [copilot.onHealth(() => listener(COPILOT_AGENT))];
			for (const agent of defined) {
				const { id } = agent.definition;
				let wasOffered = isOffered(agent);
				const off = agents.get(id)?.onHealth(() => {
					const offered = isOffered(agent);
					// That an agent is not there is no news of one that nobody was shown.
					if (offered || wasOffered) listener(id);
					wasOffered = offered;
				});
				if (off !== undefined) offs.push(off);
			}
			return () => {
				for (const off of offs) off();
			};
		},
		async close() {
			await Promise.all([...agents.values()].map((agent) => agent.close()));
		},
	};
}

/** What is not found is missing only when every directory answered. */
function presenceOf({ definition, behind }: DefinedAgent, { found, complete }: FoundPrograms, before: Presence): Presence {
	const program = found.get(definition.command[0]);
	if (program !== undefined) return { state: "found", version: program.version };
	return complete ? { state: "missing", behind: behind !== undefined && found.has(behind) } : before;
}

function copilotInfo(copilot: AgentRuntime): AgentInfo {
	const choices = copilot.choices?.();
	const info = {
		id: COPILOT_AGENT,
		name: "GitHub Copilot",
		kind: "copilot",
		health: copilot.health(),
		capabilities: copilot.capabilities(),
	} as const;
	return choices === undefined ? info : { ...info, choices };
}

function infoOf(agent: AcpAgent): AgentInfo {
	const { id, name, loginCommand, installCommand, account } = agent.definition;
	const info: AgentInfo = { id, name, kind: "acp", health: agent.health(), capabilities: agent.capabilities() };
	if (loginCommand !== undefined) info.loginCommand = loginCommand;
	if (installCommand !== undefined) info.installCommand = installCommand;
	if (account !== undefined) info.account = account;
	if (agent.isUntried()) info.isUntried = true;
	const choices = agent.choices?.();
	if (choices !== undefined) info.choices = choices;
	return info;
}
