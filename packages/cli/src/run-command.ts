import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { CliError, EXIT } from "./cli-error.ts";
import type { ClientCommand, CommandContext } from "./commands/command.ts";
import { safeLine } from "./terminal/safe-text.ts";
import { wordsIn } from "./words.ts";

/** Runs one command in this process. Never throws for what a person can act on: that is one line on standard error. */
export async function runCommand(command: ClientCommand, argv: readonly string[]): Promise<number> {
	const context = processContext(argv);
	context.stdout.on("error", (error) => {
		// A reader that went away (`ask | head`) wants no more, and no words about it. A full disk is another matter.
		if ("code" in error && error.code === "EPIPE") process.exit(EXIT.done);
		context.stderr.write(`rightseat ${command.name}: ${safeLine(wordsIn(context.language).notWritten(error.message))}\n`);
		process.exit(EXIT.failed);
	});
	context.stderr.on("error", () => undefined);
	try {
		const run = await command.load();
		const code = await run(context);
		await flushed(context.stdout);
		return code;
	} catch (error) {
		if (!(error instanceof CliError)) throw error;
		context.stderr.write(`rightseat ${command.name}: ${safeLine(error.message)}\n`);
		return error.exitCode;
	}
}

function processContext(argv: readonly string[]): CommandContext {
	return {
		argv,
		env: process.env,
		cwd: process.cwd(),
		language: languageOf(process.env),
		stdin: process.stdin,
		stdout: process.stdout,
		stderr: process.stderr,
		onInterrupt(listener) {
			process.on("SIGINT", listener);
			return () => void process.off("SIGINT", listener);
		},
	};
}

/** Whoever ends the process now loses nothing of what was written. */
const flushed = (stream: NodeJS.WriteStream) => new Promise<void>((resolve) => stream.write("", () => resolve()));
