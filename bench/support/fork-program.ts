import { type ChildProcess, type ForkOptions, fork } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";

/** Where the bundle is, for the programs that its programs start. */
export const BUNDLE_VARIABLE = "RIGHTSEAT_BENCH_BUNDLE";

/** Starts a program: from the bundle if it is there, else from its source. */
export function forkProgram(file: string, args: readonly string[], options: ForkOptions = {}): ChildProcess {
	const program = programOf(file);
	const execArgv = [...(program === file ? ["--import", "tsx"] : []), ...(options.execArgv ?? [])];
	return fork(program, [...args], { ...options, execArgv });
}

/** What to load for a source. */
export function programOf(file: string): string {
	const folder = process.env[BUNDLE_VARIABLE];
	if (folder === undefined) return file;
	const bundled = join(folder, `${keyOf(file)}.js`);
	return existsSync(bundled) ? bundled : file;
}

/** The name of a source's program in the bundle. */
export const keyOf = (file: string) => createHash("sha256").update(file).digest("hex").slice(0, 16);
