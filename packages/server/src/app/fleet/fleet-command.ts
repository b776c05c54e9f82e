import { hostname } from "node:os";
import { parseArgs } from "node:util";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { sayProblem } from "@rightseat/cli/connection/say-problem";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { AppError } from "../../core/kernel/errors.ts";
import type { Role } from "../../fleet/members/statement.ts";
import type { Command, CommandDeps } from "../cli/commands.ts";
import { parseConfig, removeSecrets } from "../config/config.ts";
import { SETTINGS } from "../config/config-schema.ts";
import { ConfigError } from "../config/config-sources.ts";
import { type AskPerson, findPerson } from "../reach/ask-person.ts";
import { initFleet, invite, join } from "./make-actions.ts";
import { leave, moved, remove, status } from "./member-actions.ts";
import { type FleetWords, fleetWords } from "./words.ts";

/** What an action gets. */
export interface FleetRun {
	cli: CommandDeps;
	words: FleetWords;
	/** Directory of the Rightseat that is meant. */
	home: string;
	/** What stands after the action. */
	argument: string | undefined;
	name: string;
	role: Role;
	isHere: boolean;
	/** The configuration as it is, and with an address that was named; undefined without one. */
	configured(url?: string): NonNullable<ReturnType<typeof configOf>> | undefined;
	/** As a server reads it that is told nothing on its command line. */
	settled(): ReturnType<typeof configOf>;
	/** Undefined where nobody can be asked. */
	person: AskPerson | undefined;
	signal: AbortSignal;
}

const ACTIONS: Readonly<Record<string, (run: FleetRun) => Promise<number>>> = {
	init: initFleet,
	invite,
	join,
	status,
	leave,
	remove,
	moved,
};
const ROLES: readonly Role[] = ["watch", "talk", "full"];

/** `rightseat fleet`. */
export const fleetCommand: Command = {
	async run(args, cli) {
		const interrupted = new AbortController();
		const interrupt = () => interrupted.abort();
		process.on("SIGINT", interrupt);
		try {
			return await runFleet(args, cli, { person: findPerson(), signal: interrupted.signal });
		} finally {
			process.off("SIGINT", interrupt);
		}
	},
};

/** Never throws for what a person can act on. */
export async function runFleet(args: readonly string[], cli: CommandDeps, parts: Pick<FleetRun, "person" | "signal">): Promise<number> {
	const language = languageOf(cli.env);
	const words = fleetWords(language);
	try {
		const { values, positionals } = read(args, words);
		const [action, argument, ...rest] = positionals;
		if (values.help === true || action === undefined) {
			removeSecrets(cli.env);
			cli.print(words.help);
			return action === undefined && values.help !== true ? EXIT.usage : EXIT.done;
		}
		const act = Object.entries(ACTIONS).find(([name]) => name === action)?.[1];
		if (act === undefined) throw new CliError(words.unknownAction(safeLine(action).slice(0, 80)));
		const takesArgument = act === join || act === remove;
		// A code that a terminal has broken into lines is one code.
		const named = act === join && argument !== undefined ? [argument, ...rest].join("") : argument;
		if (!takesArgument && argument !== undefined) throw new CliError(words.tooMany);
		if (act === remove && rest.length > 0) throw new CliError(words.tooMany);
		const home = SETTINGS.home.type.parse(values.home ?? (cli.env.RIGHTSEAT_HOME?.trim() || SETTINGS.home.fallback || ""));
		const env = { ...cli.env };
		removeSecrets(cli.env);
		return await act({
			...{ cli, words, home, argument: named, ...parts, isHere: values.here === true },
			...{ name: nameFrom(values.name, words), role: roleFrom(values.role, words) },
			configured: (url) => configOf({ ...values, url: url ?? values.url }, { home, env, cwd: cli.cwd }),
			settled: () => configOf({}, { home, env, cwd: cli.cwd }),
		});
	} catch (error) {
		if (!(error instanceof CliError) && !(error instanceof AppError) && !(error instanceof ConfigError)) throw error;
		const message = error instanceof AppError ? await sayProblem(error, language) : error.message;
		cli.printError(`rightseat fleet: ${safeLine(message)}`);
		if (error instanceof AppError) cli.printError(words.failed);
		if (error instanceof CliError) return error.exitCode;
		return error instanceof AppError ? EXIT.failed : EXIT.usage;
	}
}

type Values = ReturnType<typeof read>["values"];

function read(args: readonly string[], words: FleetWords) {
	const text = { type: "string" } as const;
	const on = { type: "boolean" } as const;
	try {
		return parseArgs({
			args: [...args],
			allowPositionals: true,
			options: { help: { ...on, short: "h" }, home: text, url: text, creds: text, ca: text, name: text, role: text, here: on },
		});
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		throw new CliError(words.unknownFlag(/'(-?[^' ]*)/.exec(message)?.[1] ?? ""));
	}
}

/** As the server reads it, with what this command was told on top. */
function configOf({ url, creds, ca }: Values, { home, env, cwd }: { home: string; env: NodeJS.ProcessEnv; cwd: string }) {
	const flags = Object.entries({ home, "fleet-url": url, "fleet-creds": creds, "fleet-ca": ca });
	const parsed = parseConfig(
		flags.flatMap(([name, value]) => (value === undefined ? [] : [`--${name}=${value}`])),
		env,
		cwd,
	);
	if (parsed.kind === "error") throw new CliError(parsed.message);
	return parsed.kind === "config" ? parsed.config.fleet : undefined;
}

function nameFrom(text: string | undefined, words: FleetWords): string {
	const name = (text ?? hostname()).trim().slice(0, text === undefined ? 60 : undefined);
	if (name === "" || name.length > 60) throw new CliError(words.badName);
	return name;
}

function roleFrom(text: string | undefined, words: FleetWords): Role {
	const role = ROLES.find((each) => each === (text ?? "full"));
	if (role === undefined) throw new CliError(words.badRole);
	return role;
}
