import { hostname } from "node:os";
import { parseArgs } from "node:util";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { sayProblem } from "@rightseat/cli/connection/say-problem";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { hostNameSchema } from "@rightseat/protocol/fleet/ids";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import { AppError } from "../../core/kernel/errors.ts";
import { ROLES, type Role } from "../../fleet/members/statement.ts";
import type { Command, CommandDeps } from "../cli/commands.ts";
import { parseConfig, removeSecrets } from "../config/config.ts";
import { SETTINGS } from "../config/config-schema.ts";
import { ConfigError } from "../config/config-sources.ts";
import { type AskPerson, findPerson } from "../reach/ask-person.ts";
import { FLEET_ACTIONS, type FleetAction } from "./help.ts";
import { join } from "./join-action.ts";
import { initFleet, invite } from "./make-actions.ts";
import { changeRole, leave, moved, permissions, remove, status } from "./member-actions.ts";
import { natsConfig } from "./nats-folder.ts";
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
	/** What stands after that. */
	second: string | undefined;
	/** Undefined: what newcomers of this fleet may do. */
	role: Role | undefined;
	/** Newcomers only look, unless they are invited for more. */
	isTeam: boolean;
	/** File with what newcomers knock with. */
	door: string | undefined;
	/** Where a NATS server is to listen. */
	listen: string | undefined;
	isHere: boolean;
	isJson: boolean;
	/** The configuration as it is, and with an address that was named; undefined without one. */
	configured(url?: string): NonNullable<ReturnType<typeof configOf>> | undefined;
	/** As a server reads it that is told nothing on its command line. */
	settled(): ReturnType<typeof configOf>;
	/** Undefined where nobody can be asked. */
	person: AskPerson | undefined;
	signal: AbortSignal;
}

/** Each with how many things may stand after it. */
const ACTIONS: Readonly<Record<FleetAction, { act: (run: FleetRun) => Promise<number>; takes: number }>> = {
	init: { act: initFleet, takes: 0 },
	invite: { act: invite, takes: 0 },
	// A code that a terminal has broken into lines is one code.
	join: { act: join, takes: Number.POSITIVE_INFINITY },
	status: { act: status, takes: 0 },
	role: { act: changeRole, takes: 2 },
	remove: { act: remove, takes: 1 },
	leave: { act: leave, takes: 0 },
	moved: { act: moved, takes: 0 },
	permissions: { act: permissions, takes: 0 },
	"nats-config": { act: natsConfig, takes: 1 },
};

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
		const [action, ...rest] = positionals;
		const known = FLEET_ACTIONS.find((each) => each === action);
		if (values.help === true || action === undefined) {
			removeSecrets(cli.env);
			cli.print(known === undefined ? words.help : words.helpOf[known]);
			return action === undefined && values.help !== true ? EXIT.usage : EXIT.done;
		}
		if (known === undefined) throw new CliError(words.unknownAction(safeLine(action).slice(0, 80)));
		const { act, takes } = ACTIONS[known];
		if (rest.length > takes) throw new CliError(words.tooMany);
		const named = known === "join" && rest.length > 0 ? rest.join("") : rest[0];
		const home = SETTINGS.home.type.parse(values.home ?? (cli.env.RIGHTSEAT_HOME?.trim() || SETTINGS.home.fallback || ""));
		const env = { ...cli.env };
		removeSecrets(cli.env);
		return await act({
			...{ cli, words, home, argument: named, second: rest[1], ...parts },
			...{ isHere: values.here === true, isTeam: values.team === true, isJson: values.json === true },
			...{ name: nameFrom(values.name, words), role: roleFrom(values.role, words), door: values.door, listen: values.listen },
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
			options: {
				help: { ...on, short: "h" },
				home: text,
				url: text,
				creds: text,
				ca: text,
				name: text,
				role: text,
				door: text,
				listen: text,
				here: on,
				team: on,
				json: on,
			},
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
	if (!hostNameSchema.safeParse(name).success) throw new CliError(words.badName);
	return name;
}

function roleFrom(text: string | undefined, words: FleetWords): Role | undefined {
	if (text === undefined) return undefined;
	const role = ROLES.find((each) => each === text);
	if (role === undefined) throw new CliError(words.badRole);
	return role;
}
