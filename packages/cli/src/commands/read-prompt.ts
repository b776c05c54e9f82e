import { fstatSync } from "node:fs";
import { MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import { CliError } from "../cli-error.ts";
import { wordsIn } from "../words.ts";
import type { CommandContext } from "./command.ts";

/** Read of standard input; no prompt of the protocol has more bytes. */
const MAX_INPUT_BYTES = 4 * 131_072;
/** A prompt stands on the command line, and whoever started us left standard input open without writing: we do not wait for ever. */
const FIRST_BYTE_MS = 3_000;

/**
 * The prompt: the argument, standard input (without an argument, or for `-`), or both, the argument first. Throws CliError when there is
 * none, or too much of it.
 */
export async function readPrompt(positionals: readonly string[], context: CommandContext): Promise<string> {
	const words = wordsIn(context.language);
	const isAsked = positionals.includes("-");
	const [argument, ...more] = positionals.filter((text) => text !== "-");
	if (more.length > 0) throw new CliError(words.tooManyArguments);
	const { stdin } = context;
	const wantsInput = isAsked || argument === undefined || (!stdin.isTTY && isPiped());
	if (argument === undefined && stdin.isTTY && !isAsked) throw new CliError(words.noPrompt);
	const input = wantsInput ? await readInput(context, argument !== undefined && !isAsked) : "";
	const prompt = [argument ?? "", input.replace(/\r?\n$/, "")].filter((text) => text.trim() !== "").join("\n\n");
	if (prompt === "") throw new CliError(words.noPrompt);
	if (prompt.length > MAX_PROMPT_CHARS) throw new CliError(words.promptTooLong(MAX_PROMPT_CHARS));
	return prompt;
}

/** A pipe, a socket or a file; not /dev/null and not closed. */
function isPiped(): boolean {
	try {
		const stat = fstatSync(0);
		return stat.isFIFO() || stat.isSocket() || stat.isFile();
	} catch {
		return false;
	}
}

function readInput({ stdin, stderr, language }: CommandContext, mayBeNothing: boolean): Promise<string> {
	const words = wordsIn(language);
	return new Promise((resolve, reject) => {
		const chunks: Buffer[] = [];
		let bytes = 0;
		const timer = mayBeNothing ? setTimeout(giveUp, FIRST_BYTE_MS) : undefined;
		function giveUp() {
			stderr.write(`${words.noInputCame}\n`);
			end(() => resolve(""));
		}
		function end(act: () => void) {
			clearTimeout(timer);
			stdin.off("data", take).off("end", done).off("error", failed);
			stdin.pause();
			act();
		}
		function take(chunk: Buffer) {
			clearTimeout(timer);
			bytes += chunk.length;
			chunks.push(chunk);
			if (bytes > MAX_INPUT_BYTES) end(() => reject(new CliError(words.inputTooLong(MAX_INPUT_BYTES))));
		}
		const done = () => end(() => resolve(Buffer.concat(chunks).toString("utf8")));
		const failed = () => done();
		stdin.on("data", take).on("end", done).on("error", failed);
	});
}
