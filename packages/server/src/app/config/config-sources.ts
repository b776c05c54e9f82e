import { readFileSync } from "node:fs";
import { delimiter } from "node:path";
import { ALL_SETTINGS, SETTINGS } from "./config-schema.ts";
import { BadValue, flag as flagType } from "./config-values.ts";
import type { Setting } from "./setting.ts";

/** Texts by flag name, by environment name and by config.json key. */
export interface ConfigSources {
	flags: ReadonlyMap<string, string>;
	env: NodeJS.ProcessEnv;
	file: ReadonlyMap<string, string>;
}

/** One line for a person: which setting, what is wrong. */
export class ConfigError extends Error {}

export function createReader(sources: ConfigSources) {
	const find = (setting: Setting<unknown>): { text: string; where: string } | undefined => {
		const flag = setting.flag === undefined ? undefined : sources.flags.get(setting.flag);
		if (flag !== undefined) return { text: flag, where: `--${setting.flag}` };
		const env = setting.env === undefined ? undefined : sources.env[setting.env];
		// An empty variable is how shells and unit files say "not set".
		if (env !== undefined && setting.env !== undefined && env.trim() !== "") return { text: env.trim(), where: setting.env };
		const file = setting.key === undefined ? undefined : sources.file.get(setting.key);
		return file === undefined ? undefined : { text: file, where: `"${setting.key}" in config.json` };
	};
	const parse = <T>(setting: Setting<T>, text: string, where: string): T => {
		try {
			return setting.type.parse(text);
		} catch (error) {
			if (error instanceof BadValue) throw new ConfigError(`${where} ${error.message}.`);
			throw error;
		}
	};
	const optional = <T>(setting: Setting<T>): T | undefined => {
		const found = find(setting) ?? (setting.fallback === undefined ? undefined : { text: setting.fallback, where: "default" });
		return found === undefined ? undefined : parse(setting, found.text, found.where);
	};
	return {
		optional,
		/** For settings that have a fallback. */
		required<T>(setting: Setting<T>): T {
			const value = optional(setting);
			if (value === undefined) throw new ConfigError(`${setting.env ?? setting.flag} has no fallback`);
			return value;
		},
		/** The name under which the person set it. */
		where: (setting: Setting<unknown>) => find(setting)?.where ?? setting.env ?? `--${setting.flag}`,
	};
}

/** Flags by name; a switch has the text "1" or, as `--no-name`, "0". */
export function readFlags(argv: readonly string[]): Map<string, string> {
	const found = new Map<string, string>();
	const rest = [...argv];
	for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
		if (argument === "-h" || argument === "--help") found.set("help", "1");
		else if (argument === "-v" || argument === "--version") found.set("version", "1");
		else {
			const [, no, name = "", inline] = /^--(no-)?([a-z][a-z-]*)(?:=(.*))?$/s.exec(argument) ?? [];
			const setting = ALL_SETTINGS.find((candidate) => candidate.flag === name);
			const isSwitch = setting?.type === flagType;
			if (setting === undefined || (no !== undefined && !isSwitch)) throw unknownFlag(argument);
			if (isSwitch) found.set(name, no === undefined ? (inline ?? "1") : "0");
			else found.set(name, inline ?? takeValue(setting, rest.shift()));
		}
	}
	return found;
}

function takeValue(setting: Setting<unknown>, next: string | undefined): string {
	if (next !== undefined && !next.startsWith("--")) return next;
	throw new ConfigError(`--${setting.flag} needs a value (${setting.type.kind}).`);
}

function unknownFlag(argument: string): ConfigError {
	return new ConfigError(
		`Unknown ${argument.startsWith("-") ? "flag" : "argument"} ${JSON.stringify(argument.slice(0, 80))}. --help lists what there is.`,
	);
}

/** Texts by key; a missing file is an empty one. */
export function readConfigFile(file: string): Map<string, string> {
	const found = new Map<string, string>();
	for (const [key, value] of Object.entries(readObject(file))) {
		const setting = ALL_SETTINGS.find((candidate) => candidate.key === key);
		if (setting === undefined) {
			throw new ConfigError(`Unknown key ${JSON.stringify(key.slice(0, 80))} in ${file}. docs/configuration.md lists the keys.`);
		}
		if (setting.type.json === true) found.set(key, JSON.stringify(value));
		else if (Array.isArray(value)) found.set(key, value.map(String).join(key === SETTINGS.roots.key ? delimiter : ","));
		else if (["string", "number", "boolean"].includes(typeof value)) found.set(key, String(value));
		else if (value !== null) throw new ConfigError(`"${key}" in ${file} must be a text, a number, true, false or a list of those.`);
	}
	return found;
}

function readObject(file: string): object {
	let content: string;
	try {
		content = readFileSync(file, "utf8");
	} catch (error) {
		if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return {};
		throw new ConfigError(`Cannot read ${file}: ${reason(error)}`);
	}
	try {
		const value: unknown = JSON.parse(content);
		if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
	} catch {
		// The parser's own message quotes the text around the mistake, which may be a secret.
		throw new ConfigError(`${file} is not valid JSON. Look for a missing quote, comma or brace.`);
	}
	throw new ConfigError(`${file} must hold one JSON object, like {"port": 7417}.`);
}

const reason = (error: unknown) => (error instanceof Error ? error.message.replaceAll("\n", " ") : String(error));
const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
