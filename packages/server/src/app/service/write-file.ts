import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import type { ServiceWords } from "./words.ts";

/** Writes a file whole or not at all, with the folders above it. Throws CliError when the disk refuses. */
export function writeWhole(file: string, text: string, { mode, words }: { mode: number; words: Pick<ServiceWords, "diskRefused"> }): void {
	const half = `${file}.${process.pid}`;
	try {
		mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
		writeFileSync(half, text, { mode });
		renameSync(half, file);
	} catch (error) {
		rmSync(half, { force: true });
		throw new CliError(words.diskRefused(file, codeOf(error)), EXIT.failed);
	}
}

/** What stands in a file; undefined when there is none. */
export function readIfThere(file: string): string | undefined {
	try {
		return readFileSync(file, "utf8");
	} catch (error) {
		if (codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR") return undefined;
		throw error;
	}
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error));
