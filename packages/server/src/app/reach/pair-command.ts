import { parseArgs } from "node:util";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { createApi, RefusedError } from "@rightseat/cli/connection/api";
import { asCliError } from "@rightseat/cli/connection/say-problem";
import { type FoundServer, findServer } from "@rightseat/cli/find-server/find-server";
import { safeLine } from "@rightseat/cli/terminal/safe-text";
import { wordsIn } from "@rightseat/cli/words";
import { loginCodeAnswer } from "@rightseat/protocol/http/login";
import { type ReachView, reachAnswer } from "@rightseat/protocol/http/reach";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import * as z from "zod/mini";
import type { Command, CommandDeps } from "../cli/commands.ts";
import { removeSecrets } from "../config/config.ts";
import { SETTINGS } from "../config/config-schema.ts";
import { createRunTool } from "../service/run-tool.ts";
import { type AskPerson, findPerson, isYes } from "./ask-person.ts";
import { type FoundWay, findWays, type Way } from "./find-ways.ts";
import { lanNames } from "./lan-names.ts";
import { type OpenDeps, openWay, stopServing } from "./open-way.ts";
import { qrText } from "./qr-text.ts";
import { createTailscale } from "./tailscale.ts";
import { type PairWords, pairWords } from "./words.ts";

/** `tailscale serve` waits for ever where Serve is not switched on; it has said so by then. */
const TOOL_LIMIT_MS = 15_000;

/** What else a run needs of the outside. */
export interface PairParts {
	person: AskPerson | undefined;
	/** An authority to trust besides the known ones, as PEM. */
	ca?: string;
	names?: typeof lanNames;
	/** Ctrl-C: what was begun is taken back. */
	signal?: AbortSignal;
}

/** `rightseat pair`. */
export const pairCommand: Command = {
	async run(args, cli) {
		const interrupted = new AbortController();
		const interrupt = () => interrupted.abort();
		process.on("SIGINT", interrupt);
		try {
			return await runPair(args, cli, { person: findPerson(), signal: interrupted.signal });
		} finally {
			process.off("SIGINT", interrupt);
		}
	},
};

/** Never throws for what a person can act on. */
export async function runPair(args: readonly string[], cli: CommandDeps, parts: PairParts): Promise<number> {
	const language = languageOf(cli.env);
	const words = pairWords(language);
	let url = "";
	try {
		const flags = readFlags(args, words);
		if (flags.help) {
			removeSecrets(cli.env);
			cli.print(words.help);
			return EXIT.done;
		}
		const home = SETTINGS.home.type.parse(flags.home ?? (cli.env.RIGHTSEAT_HOME?.trim() || SETTINGS.home.fallback || ""));
		const server = findOwnServer(home, { ...cli, language });
		removeSecrets(cli.env);
		url = server.url;
		const tailscale = createTailscale(createRunTool(cli.env, TOOL_LIMIT_MS));
		const step = (text: string) => cli.print(`  ${words.done}  ${safeLine(text)}`);
		const deps = { api: createApi(server), home, tailscale, words, step, ca: parts.ca, signal: parts.signal };
		return flags.off ? await takeBack(cli, deps) : await pair(flags, { cli, deps, listening: url, ...parts });
	} catch (error) {
		const problem = await asCliError(error, url, language);
		if (!(problem instanceof CliError)) throw problem;
		cli.printError(`rightseat pair: ${safeLine(problem.message)}`);
		// What was asked for was right; that the server cannot is no fault of who asked.
		return error instanceof RefusedError && error.status !== 401 ? EXIT.failed : problem.exitCode;
	}
}

/** By its home only: an address of ours that others use is what is being looked for. */
function findOwnServer(home: string, context: Parameters<typeof findServer>[1]): FoundServer {
	try {
		return findServer({ text: (name) => (name === "home" ? home : undefined) }, context);
	} catch (error) {
		// The words of the other commands name --url, which means something else here.
		const isMissing = error instanceof CliError && error.message === wordsIn(context.language).noServer(home);
		throw isMissing ? new CliError(pairWords(context.language).noServer(home)) : error;
	}
}

interface Flags {
	help: boolean;
	home: string | undefined;
	off: boolean;
	yes: boolean;
	port: number | undefined;
	/** Which way; undefined: not said. */
	kind: "tailscale" | "lan" | "url" | undefined;
	url: string | undefined;
}

function readFlags(args: readonly string[], words: PairWords): Flags {
	const text = { type: "string" } as const;
	const on = { type: "boolean" } as const;
	let values: ReturnType<typeof parse>["values"];
	const parse = () =>
		parseArgs({
			args: [...args],
			options: { help: { ...on, short: "h" }, home: text, off: on, yes: on, port: text, tailscale: on, lan: on, url: text },
		});
	try {
		({ values } = parse());
	} catch (error) {
		const message = error instanceof Error ? error.message : String(error);
		const flag = /'(-?[^' ]*)/.exec(message)?.[1] ?? "";
		throw new CliError(/Unknown option|Unexpected argument/.test(message) ? words.unknownFlag(flag) : words.badFlag(flag));
	}
	const ways = (["tailscale", "lan", "url"] as const).filter((name) => values[name] !== undefined);
	if (ways.length + (values.off === true ? 1 : 0) > 1) throw new CliError(words.oneWay);
	const port = values.port === undefined ? undefined : Number(values.port);
	if (port !== undefined && (!/^\d+$/.test(values.port ?? "") || port < 1 || port > 65_535)) throw new CliError(words.badPort);
	const url = values.url === undefined ? undefined : originOf(values.url);
	if (values.url !== undefined && url === undefined) throw new CliError(words.badUrl);
	const { help = false, home, off = false, yes = false } = values;
	return { help, home, off, yes, port, kind: ways[0], url };
}

/** An https address at the top of a name: the page has no path of its own. */
function originOf(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isPlain = url?.protocol === "https:" && url.pathname === "/" && url.search === "" && url.hash === "" && url.username === "";
	return isPlain ? url.origin : undefined;
}

async function pair(
	flags: Flags,
	{ cli, deps, listening, person, names = lanNames }: { cli: CommandDeps; deps: OpenDeps; listening: string } & PairParts,
): Promise<number> {
	const { words } = deps;
	const { reach, configured } = await deps.api.get("/api/reach", reachAnswer);
	const found = await findWays({ listening, configured, reach, port: flags.port, lan: names() }, deps);
	showWays(found, { cli, words, reach });
	const way = await chooseWay(found, flags, { words, person });
	const isOpened = way !== undefined && (await isWanted(way, flags, { words, person }));
	if (!isOpened || deps.signal?.aborted === true) {
		cli.print(words.left);
		return deps.signal?.aborted === true ? EXIT.ctrlC : EXIT.failed;
	}
	const opened = await openWay(way, reach, deps);
	await showCodes(opened, cli, deps);
	return EXIT.done;
}

function showWays(
	found: readonly FoundWay[],
	{ cli, words, reach }: { cli: CommandDeps; words: PairWords; reach: ReachView | undefined },
): void {
	const lines = found.map(({ kind, line, way }, index) => {
		const isOpen = reach !== undefined && reach.url === way?.url;
		return `  ${way === undefined ? "–" : index + 1}  ${words.titles[kind].padEnd(14)} ${safeLine(isOpen ? words.open(reach.url) : line)}`;
	});
	cli.print([words.heading, ...lines, ""].join("\n"));
}

/** The one that was named, else the one that the person chooses, else the first that opens nothing to strangers. */
async function chooseWay(
	found: readonly FoundWay[],
	flags: Flags,
	{ words, person }: { words: PairWords; person: AskPerson | undefined },
): Promise<Way | undefined> {
	if (flags.url !== undefined) return { kind: "url", url: flags.url };
	if (flags.kind !== undefined) {
		const named = found.find(({ kind }) => kind === flags.kind);
		if (named?.way === undefined) throw new CliError(`${words.titles[flags.kind]}: ${named?.line ?? ""}`, EXIT.failed);
		return named.way;
	}
	const ready = found.filter(({ way }) => way !== undefined);
	if (flags.yes) {
		const first = ready.find(({ kind }) => kind !== "lan");
		if (first?.way === undefined) throw new CliError(words.needsWay, EXIT.failed);
		return first.way;
	}
	if (person === undefined) throw new CliError(words.needsYes);
	if (ready.length === 0) throw new CliError(words.needsWay, EXIT.failed);
	const numbers = ready.map(({ kind }) => String(found.findIndex((way) => way.kind === kind) + 1));
	const answer = await person(words.chooseWay(numbers.join(", ")));
	return numbers.includes(answer) ? found[Number(answer) - 1]?.way : undefined;
}

/** Nothing is opened without a yes; what the configuration opened is open. */
async function isWanted(
	way: Way,
	{ yes }: Flags,
	{ words, person }: { words: PairWords; person: AskPerson | undefined },
): Promise<boolean> {
	if (yes || way.kind === "configured") return true;
	if (person === undefined) throw new CliError(words.needsYes);
	const { question } = words;
	return isYes(await person(way.kind === "tailscale" ? question.tailscale(way.url, way.target) : question[way.kind](way.url)));
}

async function showCodes(opened: ReachView, cli: CommandDeps, { api, words }: OpenDeps): Promise<void> {
	const colour = process.stdout.isTTY === true && (cli.env.NO_COLOR ?? "") === "" && cli.env.TERM !== "dumb";
	if (opened.fingerprint !== undefined) {
		const plain = opened.url.replace(/^https:/, "http:");
		cli.print(`\n${words.trustFirst(plain)}\n\n${qrText(`${plain}/`, { colour })}\n\n${words.fingerprint(opened.fingerprint)}`);
		cli.print(words.firewall(opened.port ?? 0));
		if (opened.also !== undefined) cli.print(words.also(opened.also.join(", ")));
	}
	const code = await api.post("/api/login-code", {}, loginCodeAnswer);
	// `paired` has the page offer what a phone can have.
	const link = `${opened.url}/${new URL(code.url).hash}&paired`;
	cli.print(`\n${words.scan}\n\n${qrText(link, { colour })}\n\n${link}\n\n${words.afterwards}\n${words.undo}`);
}

async function takeBack(cli: CommandDeps, deps: OpenDeps): Promise<number> {
	const { api, words } = deps;
	const { reach } = await api.get("/api/reach", reachAnswer);
	if (reach === undefined) {
		cli.print(words.nothingPaired);
		return EXIT.done;
	}
	if (reach.way === "tailscale") await stopServing(reach, deps);
	await api.delete("/api/reach", z.unknown());
	cli.print(words.closed(reach.url));
	if (reach.way === "lan") cli.print(words.removeProfile);
	return EXIT.done;
}
