import { statSync, truncateSync } from "node:fs";
import type { CommandDeps } from "../cli/commands.ts";
import { startCommand } from "../cli/server-commands.ts";
import { readEnvironment } from "./environment-file.ts";
import type { ServicePlace } from "./service-place.ts";
import type { ServiceWords } from "./words.ts";

/** What a service may print in one run, and what the file may hold at its start; everything is in the log of the server anyway. */
export const MAX_OUTPUT_BYTES = 1_048_576;

/**
 * What the supervisor runs: the server, with the variables of `service.env`. The greeting is left out: it has a link that lets its reader
 * in, and the output of a service is kept.
 */
export async function runService(place: ServicePlace, words: ServiceWords, deps: CommandDeps): Promise<number | undefined> {
	shortenOutput(place.outputFile);
	for (const [name, value] of readEnvironment(place.environmentFile, words)) deps.env[name] = value;
	const printError = createBoundedPrint(deps.printError);
	return await startCommand.run(["--home", place.home], {
		...deps,
		cwd: place.userHome,
		printError,
		print(text) {
			if (text.startsWith("Rightseat is ready on ")) printError(text);
		},
	});
}

/** A file that earlier runs filled is begun anew. */
export function shortenOutput(file: string): void {
	if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > MAX_OUTPUT_BYTES) truncateSync(file);
}

/** Lines with their time, until the bound is reached. */
export function createBoundedPrint(print: (line: string) => void): (text: string) => void {
	let printed = 0;
	return (text) => {
		const line = `${new Date().toISOString()} ${text}`;
		printed += Buffer.byteLength(line) + 1;
		if (printed <= MAX_OUTPUT_BYTES) print(line);
	};
}
