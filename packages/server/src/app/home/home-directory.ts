import { accessSync, chmodSync, constants, existsSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { ConfigError } from "../config/config-sources.ts";

const OWN_FILES = ["rightseat.db", "token", "config.json", "server.pid", "logs"];

/** Makes the home directory, readable by its owner only. Throws ConfigError with one line for a person. */
export function prepareHome(home: string): void {
	try {
		makeDirectory(home);
		accessSync(home, constants.W_OK | constants.X_OK);
	} catch (error) {
		throw new ConfigError(`RIGHTSEAT_HOME: cannot write to "${home}" (${codeOf(error)}). Choose another directory with --home.`);
	}
	if (process.platform === "win32") return;
	if ((statSync(home).mode & 0o077) === 0) {
		makeEntriesPrivate(home);
		return;
	}
	const entries = readdirSync(home);
	// Somebody's own directory, named by mistake, must not be taken from everybody else.
	if (entries.length > 0 && !entries.some((entry) => OWN_FILES.includes(entry))) {
		throw new ConfigError(`RIGHTSEAT_HOME: "${home}" holds other files and is open to other users. Choose an empty directory with --home.`);
	}
	try {
		chmodSync(home, 0o700);
	} catch (error) {
		throw new ConfigError(`RIGHTSEAT_HOME: cannot make "${home}" private (${codeOf(error)}). Choose another directory with --home.`);
	}
	makeEntriesPrivate(home);
}

/** Step by step: Node's own recursive way never ends below /proc. */
function makeDirectory(path: string): void {
	if (existsSync(path)) return;
	makeDirectory(dirname(path));
	mkdirSync(path, { mode: 0o700 });
}

/** Only what lies directly in it, token and database among it: deeper there may be very many files, and the start would wait for them (`file-modes.ts`). */
function makeEntriesPrivate(home: string): void {
	for (const entry of readdirSync(home, { withFileTypes: true })) {
		if (!entry.isDirectory() && !entry.isFile()) continue;
		const path = join(home, entry.name);
		const stat = statSync(path, { throwIfNoEntry: false });
		if (stat !== undefined && (stat.mode & 0o077) !== 0) chmodSync(path, stat.mode & (entry.isDirectory() ? 0o700 : 0o600));
	}
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error));
