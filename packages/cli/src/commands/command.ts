import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";

/** What a command is given of the process that it runs in. */
export interface CommandContext {
	/** What stands after the command's name. */
	argv: readonly string[];
	env: Readonly<Record<string, string | undefined>>;
	cwd: string;
	language: SpokenLanguage;
	stdin: NodeJS.ReadStream;
	stdout: NodeJS.WriteStream;
	stderr: NodeJS.WriteStream;
	/** Calls back at every Ctrl-C, instead of ending the process. Gives back what ends that. */
	onInterrupt(listener: () => void): () => void;
}

/** Runs a command to its end and gives the exit code; throws CliError for what a person can act on. */
export type RunCommand = (context: CommandContext) => Promise<number>;

/** A row of the table of commands. */
export interface ClientCommand {
	name: string;
	/** One line for `rightseat help`. */
	summary: Readonly<Record<SpokenLanguage, string>>;
	load(): Promise<RunCommand>;
}
