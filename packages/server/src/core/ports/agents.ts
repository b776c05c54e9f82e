import type { AgentCapabilities, AgentRuntime, RuntimeHealth, SessionChoices } from "./agent-runtime.ts";

/** The agents that a conversation can be driven by: `copilot`, which is always there, and those that speak ACP. */
export interface Agents {
	/** The agent of a new conversation when nobody says which; always one that `find` knows. */
	default(): string;
	/** Every agent, `copilot` first. Starts none of them. */
	list(): AgentInfo[];
	/** Agents that are known by name and not in the list, because nothing of them is on this machine. */
	installable(): { id: string; name: string; installCommand: string }[];
	/** The runtime of this agent. One that is not installed has a runtime too: its sessions do not open, and its health says what is missing. */
	find(id: string): AgentRuntime | undefined;
	/** Looks again which programs are there, for instance after somebody installed one. */
	refresh(): Promise<void>;
	/** Called when the list or the health of an agent changed; the result unsubscribes. */
	onChange(listener: (agentId: string) => void): () => void;
	close(): Promise<void>;
}

/** An agent as its last session had it. */
export interface SeenAgent {
	choices: Pick<SessionChoices, "modes" | "efforts">;
	capabilities: AgentCapabilities;
}
/** Agents as their last session had them, kept over restarts, so that people can choose, and know what one cannot do, before the next one. */
export interface SeenAgents {
	/** Never throws. */
	find(agent: string): SeenAgent | undefined;
	/** Never throws: it is not worth a session. */
	keep(agent: string, seen: SeenAgent): void;
}

/** The id of the agent that drives the Copilot runtime, and of every conversation older than the choice. */
export const COPILOT_AGENT = "copilot";

/** An agent as people choose it. */
export interface AgentInfo {
	id: string;
	name: string;
	kind: "copilot" | "acp";
	health: RuntimeHealth;
	capabilities: AgentCapabilities;
	/** It was never open here, and nobody has measured it: its capabilities are not known, and those above the least. */
	isUntried?: true;
	/** What a conversation with it can be set to besides its model, as far as it is known. */
	choices?: SessionChoices;
	/** What a person may run to log in, as typed in a terminal; absent where nothing is known. */
	loginCommand?: string;
	/** What a person may run to install it; shown, never run by us. */
	installCommand?: string;
	/** Whose account or key pays; absent where it is whatever the agent was set up with. */
	account?: string;
}
