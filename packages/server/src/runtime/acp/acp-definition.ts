import type { AgentCapabilities } from "../../core/ports/agent-runtime.ts";

/** An agent that speaks ACP, as it is started. */
export interface AcpDefinition {
	readonly id: string;
	/** As people read it. */
	readonly name: string;
	/** Program and arguments. */
	readonly command: readonly string[];
	/** What its process gets besides the environment that every agent gets. */
	readonly env?: Record<string, string>;
	/** The same, made anew at every start: a password in it is used once. */
	environment?(env: Readonly<Record<string, string | undefined>>): Record<string, string>;
	/** What a person runs in a terminal to log in. */
	readonly loginCommand?: string;
	/** What a person runs to install it; shown, never run by us. */
	readonly installCommand?: string;
	/** What its sessions can do, as far as it was measured; an agent that was open knows better. */
	readonly expected?: AgentCapabilities;
}

/** Limits of an agent and of its answers, in milliseconds. */
export interface AcpLimits {
	initializeMs: number;
	/** `session/new` and `session/resume`. */
	openMs: number;
	/** `session/load`, which replays the whole history. */
	loadMs: number;
	optionMs: number;
	/** From a stop to the kill of an agent that does not listen. */
	stopMs: number;
	pingEveryMs: number;
	/** Without a sign of life. */
	frozenAfterMs: number;
	/** From the end of its input to the kill. */
	leaveMs: number;
	/** How long a call of our tools waits for the card that it belongs to. */
	announceMs: number;
	/** Processes of this agent at the same time; the oldest idle one leaves. */
	maxProcesses: number;
}

export const ACP_LIMITS: AcpLimits = {
	initializeMs: 20_000,
	openMs: 45_000,
	loadMs: 120_000,
	optionMs: 10_000,
	stopMs: 2_000,
	pingEveryMs: 5_000,
	frozenAfterMs: 15_000,
	leaveMs: 2_500,
	announceMs: 1_000,
	maxProcesses: 16,
};
