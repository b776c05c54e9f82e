import { accessSync, chmodSync, constants, mkdirSync, readdirSync, statSync } from "node:fs";
import { ConfigError } from "./config-sources.ts";

const OWN_FILES = ["rightseat.db", "token", "config.json", "server.pid", "logs"];

/** Makes the home directory, readable by its owner only. Throws ConfigError with one line for a person. */
export function prepareHome(home: string): void {
	try {
		mkdirSync(home, { recursive: true, mode: 0o700 });
		accessSync(home, constants.W_OK | constants.X_OK);
	} catch (error) {
		throw new ConfigError(`RIGHTSEAT_HOME: cannot write to "${home}" (${codeOf(error)}). Choose another directory with --home.`);
	}
	if (process.platform === "win32" || (statSync(home).mode & 0o077) === 0) return;
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
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : String(error));
