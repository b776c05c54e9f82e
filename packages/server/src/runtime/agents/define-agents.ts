import { basename } from "node:path";
import type { AgentCapabilities } from "../../core/ports/agent-runtime.ts";
import type { AgentDefinition } from "./agent-definition.ts";
import { findKnownAgent, KNOWN_AGENTS, type KnownAgent } from "./known-agents.ts";

/** An agent of the configuration. */
export interface ConfiguredAgent {
	id: string;
	name?: string;
	command: [string, ...string[]];
	env?: Record<string, string>;
}

/** An agent and where it comes from. A configured one is always offered, a known one when something of it is on this machine. */
export type DefinedAgent =
	| { readonly from: "configuration"; readonly definition: AgentDefinition; readonly behind?: undefined }
	| { readonly from: "known"; readonly definition: AgentDefinition; readonly behind?: string | undefined };

/** Nothing is promised of an agent that nobody has tried; an open session knows what it can do. */
const UNTRIED: AgentCapabilities = { resume: false, steer: false, models: false, images: false, sharedShell: false };

/** The configured agents in their order, then the known ones. An entry takes the place of the known agent with its id. */
export function defineAgents(entries: readonly ConfiguredAgent[]): DefinedAgent[] {
	const configured = entries.map((entry): DefinedAgent => ({ from: "configuration", definition: define(entry) }));
	const taken = new Set(entries.map(({ id }) => id));
	const known = KNOWN_AGENTS.filter(({ id }) => !taken.has(id));
	return [...configured, ...known.map((agent): DefinedAgent => ({ from: "known", definition: agent, behind: agent.behind }))];
}

function define(entry: ConfiguredAgent): AgentDefinition {
	const like = findKnownAgent(entry.id) ?? knownBy(entry.command);
	return {
		...like,
		id: entry.id,
		name: entry.name ?? like?.name ?? entry.id,
		command: entry.command,
		environment: (env) => ({ ...like?.environment(env), ...entry.env }),
		expected: like?.expected ?? UNTRIED,
		...(like === undefined ? { isUnmeasured: true as const } : {}),
	};
}

/** Under another name it is still the program whose open port has to be locked. */
function knownBy(command: readonly [string, ...string[]]): KnownAgent | undefined {
	return KNOWN_AGENTS.find((agent) => agent.command[0] === basename(command[0]));
}
