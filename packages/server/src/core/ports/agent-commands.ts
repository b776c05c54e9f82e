import type { AgentCommand } from "@rightseat/protocol/http/agent-commands";
import type { SetupItem } from "@rightseat/protocol/http/setup";

/** `/name input`. */
export interface TypedCommand {
	name: string;
	/** Empty where nothing follows. */
	input: string;
}

/** What an agent says of its commands before a session is open. */
export interface RuntimeCommands {
	/** What a prompt can begin with where no session is open, with these skills of a trusted folder. Absent: nothing is known then. */
	commands?(skills: readonly SetupItem[]): AgentCommand[];
}

/** The commands of an open session. */
export interface SessionCommands {
	/** What a prompt to it can begin with; undefined: it does not say now. Rejects when it does not answer. Absent where there is nothing. */
	commands?(): Promise<AgentCommand[] | undefined>;
	/**
	 * What the model gets for a command; undefined: it is none of this session, so what was typed is a prompt like any other. Nothing but the prompt comes of
	 * it. Rejects when the agent does not say. Absent where the agent reads its commands by itself, or has none.
	 */
	expand?(typed: TypedCommand): Promise<string | undefined>;
}
