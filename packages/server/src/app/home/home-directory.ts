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
		makePrivate(home);
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
	makePrivate(home);
}

/** Step by step: Node's own recursive way never ends below /proc. */
function makeDirectory(path: string): void {
	if (existsSync(path)) return;
	makeDirectory(dirname(path));
	mkdirSync(path, { mode: 0o700 });
}

const MAX_CHECKED_ENTRIES = 50_000;

/** Whatever was written there with other rights, by hand or by the agent runtime, is ours alone from now on. */
export function makePrivate(folder: string, budget = { left: MAX_CHECKED_ENTRIES }): void {
	for (const entry of readdirSync(folder, { withFileTypes: true })) {
		budget.left -= 1;
		if (budget.left < 0) return;
		const path = join(folder, entry.name);
		if (!entry.isDirectory() && !entry.isFile()) continue;
		const wanted = entry.isDirectory() ? 0o700 : 0o600;
		const stat = statSync(path, { throwIfNoEntry: false });
		if (stat !== undefined && (stat.mode & 0o077) !== 0) chmodSync(path, stat.mode & wanted);
		if (entry.isDirectory()) makePrivate(path, budget);
	}
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error));
