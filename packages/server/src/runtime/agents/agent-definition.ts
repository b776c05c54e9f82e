import type { AgentCapabilities } from "../../core/ports/agent-runtime.ts";

/** An agent that speaks ACP, as it is started. Made from the known list, from the configuration, or from both. */
export interface AgentDefinition {
	/** Small letters, digits and `-`; never `copilot`. */
	readonly id: string;
	/** As people read it. */
	readonly name: string;
	/** Program and arguments. Without a slash the program is looked for on `PATH`. */
	readonly command: readonly [string, ...string[]];
	/** What its process gets besides `env`, which every agent gets. Asked at every start: a password in it is used once. */
	environment(env: Readonly<Record<string, string | undefined>>): Record<string, string>;
	/** What a person runs in a terminal to log in; absent where nothing is known. */
	readonly loginCommand?: string;
	/** What a person runs to install it; shown, never run by us. */
	readonly installCommand?: string;
	/** Whose account or key pays; absent where it is whatever the agent was set up with. */
	readonly account?: string;
	/** What its sessions can do, as far as it was measured; an agent that is open knows better. */
	readonly expected: AgentCapabilities;
	/** Nobody has measured it: `expected` is the least. */
	readonly isUnmeasured?: true;
}
