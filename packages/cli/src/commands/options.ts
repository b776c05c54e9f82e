import { parseArgs } from "node:util";
import type { SpokenLanguage } from "@rightseat/protocol/sentences/say-coded";
import { CliError } from "../cli-error.ts";
import { wordsIn } from "../words.ts";

/** A flag with a value, or a switch; `short` is one letter. */
export type FlagSpec = Readonly<Record<string, { type: "string" | "boolean"; short?: string }>>;

/** What a person wrote behind a command's name. */
export interface Options {
	positionals: string[];
	text(name: string): string | undefined;
	has(name: string): boolean;
	/** A whole number of at least `least`; throws CliError for anything else. */
	number(name: string, least: number): number | undefined;
}

/** Of every command: which server. */
const SERVER_FLAGS = { home: { type: "string" }, url: { type: "string" }, help: { type: "boolean", short: "h" } } as const;

/** Reads flags and values; throws CliError with one line for a flag that is not known or lacks its value. */
export function parseOptions(argv: readonly string[], flags: FlagSpec, language: SpokenLanguage): Options {
	const words = wordsIn(language);
	const options = Object.fromEntries(Object.entries({ ...SERVER_FLAGS, ...flags }).map(([name, flag]) => [name, { ...flag }]));
	let parsed: { values: Record<string, string | boolean | (string | boolean)[] | undefined>; positionals: string[] };
	try {
		parsed = parseArgs({ args: [...argv], options, allowPositionals: true });
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const flag = /'(-[^' ]*)/.exec(message)?.[1] ?? "";
		throw new CliError(/Unknown option/.test(message) ? words.unknownFlag(flag) : words.badFlag(flag));
	}
	const { values, positionals } = parsed;
	return {
		positionals,
		text(name) {
			const value = values[name];
			return typeof value === "string" ? value : undefined;
		},
		has: (name) => values[name] === true,
		number(name, least) {
			const value = values[name];
			if (typeof value !== "string") return undefined;
			const number = Number(value);
			if (!/^\d+$/.test(value) || !Number.isSafeInteger(number) || number < least) throw new CliError(words.badNumber(name, least));
			return number;
		},
	};
}
