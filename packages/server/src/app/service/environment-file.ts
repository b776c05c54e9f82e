import { readFileSync } from "node:fs";
import { CliError } from "@rightseat/cli/cli-error";
import { secretNames } from "../config/config.ts";
import { ALL_SETTINGS } from "../config/config-schema.ts";
import type { ServiceWords } from "./words.ts";

/** Names and values that a service starts with. */
export type Environment = ReadonlyMap<string, string>;

/** What a login gives a shell and a supervisor does not, and programs that agents start need. Sockets and ids of a session are not among it: they end with it. */
const OF_THE_SHELL = [
	...["PATH", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "LC_MESSAGES", "TZ", "NODE_EXTRA_CA_CERTS"],
	...["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy"],
];

/** What a service takes over from the shell that installs it: the start environment, our settings, and the names that a person adds. */
export function captureEnvironment(env: NodeJS.ProcessEnv, added: readonly string[]): Map<string, string> {
	const ours = ALL_SETTINGS.flatMap(({ env: name }) => (name === undefined || name === "RIGHTSEAT_HOME" ? [] : [name]));
	const taken = new Map<string, string>();
	for (const name of [...OF_THE_SHELL, ...ours, ...added]) {
		const value = env[name];
		if (value !== undefined && value.trim() !== "") taken.set(name, name === "PATH" ? lastingPath(value) : value);
	}
	return taken;
}

/** npm puts folders before PATH that are there for one command only. */
function lastingPath(path: string): string {
	const folders = path.split(":").filter((folder) => folder.startsWith("/") && !/\/node_modules\/(?:\.bin$|.*node-gyp-bin$)/.test(folder));
	return [...new Set(folders)].join(":");
}

/** The text of the file: a line each; a value that could not stand in a line as it is stands as a JSON string. */
export function environmentText(environment: Environment, words: Pick<ServiceWords, "environmentHead">): string {
	const lines = [...environment].map(([name, value]) => `${name}=${needsQuotes(value) ? JSON.stringify(value) : value}`);
	return `${words.environmentHead
		.split("\n")
		.map((line) => `# ${line}`)
		.join("\n")}\n${lines.join("\n")}\n`;
}

const needsQuotes = (value: string) => value !== value.trim() || value.startsWith('"') || /[\r\n]/.test(value);

/** The file's content; a file that is not there is empty. Throws CliError that names the line, never what stands in it. */
export function readEnvironment(file: string, words: Pick<ServiceWords, "badEnvironmentLine">): Map<string, string> {
	let text: string;
	try {
		text = readFileSync(file, "utf8");
	} catch (error) {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return new Map();
		throw error;
	}
	const found = new Map<string, string>();
	for (const [index, line] of text.split("\n").entries()) {
		if (line.trim() === "" || line.startsWith("#")) continue;
		const [, name = "", value = ""] = /^([A-Za-z_][A-Za-z0-9_]*)=(.*)$/.exec(line) ?? [];
		const plain = value.startsWith('"') ? parseText(value) : value.trim();
		if (name === "" || plain === undefined) throw new CliError(words.badEnvironmentLine(file, index + 1));
		found.set(name, plain);
	}
	return found;
}

function parseText(value: string): string | undefined {
	try {
		const parsed: unknown = JSON.parse(value);
		return typeof parsed === "string" ? parsed : undefined;
	} catch {
		// Not a whole JSON string; the caller names the line.
		return undefined;
	}
}

/** May its value be shown? Ours are known; of others the name decides, and who is not sure hides it. */
export function isSecretName(name: string): boolean {
	if (secretNames().includes(name)) return true;
	const isKnown = OF_THE_SHELL.includes(name) || ALL_SETTINGS.some((setting) => setting.env === name);
	// An address of a proxy may hold a password.
	return !isKnown || /proxy$/i.test(name);
}
