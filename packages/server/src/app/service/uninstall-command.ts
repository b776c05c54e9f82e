import { existsSync, readdirSync, rmdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import { safeLine, safeText } from "@rightseat/cli/terminal/safe-text";
import { languageOf } from "@rightseat/protocol/sentences/language-of";
import type { Paired } from "../../channels/web/reach/reach.ts";
import { createRunGit, type RunGit } from "../../services/git/run-git.ts";
import { removeWorktree } from "../../services/git/worktrees/remove-worktree.ts";
import { worktreeFolder } from "../../services/worktrees/worktrees.ts";
import type { Command, CommandDeps } from "../cli/commands.ts";
import { removeSecrets } from "../config/config.ts";
import { findHomeOwner } from "../home/home-lock.ts";
import { stopServing } from "../reach/open-way.ts";
import { readPaired } from "../reach/reach-file.ts";
import { createTailscale } from "../reach/tailscale.ts";
import { pairWords } from "../reach/words.ts";
import { asProblem, createServiceDeps, takeHome } from "./create-service-deps.ts";
import { listMade, type Made } from "./list-made.ts";
import type { ServiceDeps } from "./service-deps.ts";
import { removeService } from "./uninstall-service.ts";
import { type UninstallWords, uninstallWords } from "./uninstall-words.ts";
import { versionsFolder } from "./versions.ts";
import { serviceWords } from "./words.ts";

/** `rightseat uninstall`: shows everything that Rightseat made for a home, asks, and removes it. */
export const uninstallCommand: Command = {
	async run(args, cli) {
		removeSecrets(cli.env);
		try {
			return await uninstall(args, cli, uninstallWords(languageOf(cli.env)));
		} catch (error) {
			const problem = asProblem(error, serviceWords(languageOf(cli.env)));
			cli.printError(`rightseat uninstall: ${safeText(problem.message)}`);
			return problem.exitCode;
		}
	},
};

const FLAGS = ["--keep-data", "--dry-run", "--yes"];

async function uninstall(args: readonly string[], cli: CommandDeps, words: UninstallWords): Promise<number> {
	if (args.includes("--help") || args.includes("-h")) {
		cli.print(words.help);
		return EXIT.done;
	}
	const { home, others } = takeHome(args, cli.env, serviceWords(languageOf(cli.env)));
	const unknown = others.find((argument) => !FLAGS.includes(argument));
	if (unknown !== undefined) throw new CliError(words.tooMuch(safeLine(unknown)));
	const deps = createServiceDeps(home, cli);
	const cache = cli.env.XDG_CACHE_HOME;
	const cacheFolder = join(cache?.startsWith("/") === true ? cache : join(deps.place.userHome, ".cache"), "rightseat");
	const git = createRunGit(gitEnvironment(cli.env));
	const all = await listMade(deps.place, { cacheFolder, versions: versionsFolder(deps.place, cli.env), git });
	const stays = (made: Made) =>
		made.keep !== undefined || made.kind === "unknown" || made.kind === "trash" || (others.includes("--keep-data") && isData(made));
	const going = all.filter((made) => !stays(made));
	const kept = all.filter(stays);
	if (going.length === 0) {
		cli.print([words.nothing(home), ...kept.map((made) => line(made, why(made, words)))].join("\n"));
		return EXIT.done;
	}
	const served = others.includes("--keep-data") ? undefined : findServed(home);
	const serve = served === undefined ? [] : [`  ${"–".padStart(9)}  ${safeLine(served.url)}  (${words.serve})`];
	cli.print([words.willRemove, ...going.map((made) => line(made, what(made, words))), ...serve].join("\n"));
	if (kept.length > 0) cli.print([words.willKeep, ...kept.map((made) => line(made, why(made, words)))].join("\n"));
	if (others.includes("--dry-run")) {
		cli.print(words.dryRun);
		return EXIT.done;
	}
	if (!others.includes("--yes")) {
		if (deps.ask === undefined) throw new CliError(words.needsYes);
		if (!(await deps.ask(words.question))) {
			cli.print(words.left);
			return EXIT.failed;
		}
	}
	await refuseRunning(deps, words);
	if (served !== undefined) {
		await stopServing(served, { tailscale: createTailscale(deps.run), words: pairWords(languageOf(cli.env)) });
		cli.print(words.removed(served.url));
	}
	await remove(deps, { going, git, words });
	cli.print(`${words.done} ${words.package}`);
	return EXIT.done;
}

/** What Tailscale would go on with after us. */
function findServed(home: string): Paired | undefined {
	const paired = readPaired(home);
	return paired?.way === "tailscale" ? paired : undefined;
}

const isData = ({ kind }: Made) => kind === "data" || kind === "worktree";

/** One that is not the service: nobody but who started it may stop it. */
async function refuseRunning({ place, manager }: ServiceDeps, words: UninstallWords): Promise<void> {
	const owner = existsSync(place.home) ? findHomeOwner(place.home) : undefined;
	if (owner === undefined) return;
	const service = existsSync(place.definitionFile) ? await manager.state() : undefined;
	if (service?.pid === undefined || owner.process !== ` (process ${service.pid})`)
		throw new CliError(words.stillRunning(place.home, owner.process), EXIT.failed);
}

async function remove(
	deps: ServiceDeps,
	{ going, git, words }: { going: readonly Made[]; git: RunGit; words: UninstallWords },
): Promise<void> {
	const { cli, place } = deps;
	const trees = worktreeFolder(place.home);
	if (going.some(({ kind }) => kind === "service")) await removeService(deps);
	for (const { path, kind, repository } of going) {
		if (kind === "service") continue;
		try {
			if (kind === "worktree" && repository !== undefined)
				await removeTree({ path, repository }, { trash: join(trees, ".trash"), git, words });
			else rmSync(path, { recursive: true, force: true });
		} catch (error) {
			if (error instanceof CliError) throw error;
			throw new CliError(words.notRemoved(path, error instanceof Error ? error.message : String(error)), EXIT.failed);
		}
		cli.print(words.removed(path));
	}
	for (const folder of [join(trees, ".trash"), trees, place.home, dirname(versionsFolder(place, cli.env))])
		if (isEmpty(folder)) rmdirSync(folder);
}

/** Looked at once more: what was written since it was shown is not lost. */
async function removeTree(
	tree: { path: string; repository: string },
	{ trash, git, words }: { trash: string; git: RunGit; words: UninstallWords },
): Promise<void> {
	const result = await removeWorktree(git, { ...tree, trash, force: false, now: Date.now() });
	if (result.kept) throw new CliError(words.notRemoved(tree.path, words.reasons[result.reason ?? "failed"]), EXIT.failed);
	if (result.path === null) return;
	for (const left of [result.path, `${result.path}.git-files`]) rmSync(left, { recursive: true, force: true });
}

const isEmpty = (folder: string) => existsSync(folder) && readdirSync(folder).length === 0;

function what({ kind }: Made, words: UninstallWords): string {
	return kind === "service" || kind === "runtime" || kind === "worktree" ? words[kind] : words.data;
}

function why({ kind, keep }: Made, words: UninstallWords): string {
	if (keep !== undefined) return words.reasons[keep];
	return kind === "unknown" || kind === "trash" ? words[kind] : words.keptData;
}

const line = ({ path, bytes }: Made, about: string) => `  ${size(bytes).padStart(9)}  ${safeLine(path)}  (${about})`;

function size(bytes: number): string {
	const units = ["KB", "MB", "GB"];
	let amount = bytes / 1_000;
	let unit = 0;
	for (; amount >= 1_000 && unit < units.length - 1; unit++) amount /= 1_000;
	return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${units[unit]}`;
}

function gitEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
	return Object.fromEntries(["PATH", "HOME", "XDG_CONFIG_HOME"].flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
}
