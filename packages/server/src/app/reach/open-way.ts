import { readFileSync } from "node:fs";
import { CliError, EXIT } from "@rightseat/cli/cli-error";
import type { Api } from "@rightseat/cli/connection/api";
import { type ReachView, type ReachWish, reachAnswer, reachTrialAnswer } from "@rightseat/protocol/http/reach";
import * as z from "zod/mini";
import type { Paired } from "../../channels/web/reach/reach.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { type AskOptions, askThrough, type ReachProblem } from "./ask-through.ts";
import type { Way } from "./find-ways.ts";
import { caFile } from "./lan-certificates.ts";
import type { Tailscale } from "./tailscale.ts";
import type { PairWords } from "./words.ts";

/** The first certificate of a name is made while the first request waits. */
const TAILSCALE_LIMIT_MS = 25_000;
const TAILSCALE_TRIES = 3;

export interface OpenDeps {
	api: Api;
	home: string;
	tailscale: Tailscale;
	words: PairWords;
	/** An authority to trust besides the known ones, as PEM. */
	ca?: string | undefined;
	/** The person has had enough: what was begun is taken back. */
	signal?: AbortSignal | undefined;
	/** A step that was done. */
	step(text: string): void;
}

/** Opens a way and checks it, in this order: what does not lead here is not kept. Throws CliError when a step fails, with everything as it was. */
export async function openWay(way: Way, before: ReachView | undefined, deps: OpenDeps): Promise<ReachView> {
	const opened = await openChecked(way, before, deps);
	if (way.kind !== "configured") {
		deps.step(deps.words.steps.kept);
		if (before?.way === "tailscale" && (way.kind !== "tailscale" || way.port !== before.port)) await stopServing(before, deps);
	}
	return opened;
}

async function openChecked(way: Way, before: ReachView | undefined, deps: OpenDeps): Promise<ReachView> {
	switch (way.kind) {
		case "configured":
			await check(way.url, deps);
			return { way: "url", url: way.url };
		case "url":
			await check(way.url, deps);
			return await keep({ way: "url", url: way.url }, deps);
		case "tailscale":
			return await openTailscale(way, before, deps);
		case "lan":
			return await openLan(way, before, deps);
	}
}

async function openTailscale(way: Way & { kind: "tailscale" }, before: ReachView | undefined, deps: OpenDeps): Promise<ReachView> {
	const { tailscale, words, step } = deps;
	const refusal = await tailscale.serve(way.port, way.target);
	if (refusal !== undefined) {
		const { reason, detail } = refusal;
		const said = reason === "denied" ? words.denied : reason === "not-enabled" ? words.notEnabled(detail) : words.serveFailed(detail);
		throw failed(said, words);
	}
	step(words.steps.serve(way.url, way.target));
	try {
		await check(way.url, deps, { addresses: way.addresses, limitMs: TAILSCALE_LIMIT_MS, tries: TAILSCALE_TRIES });
		return await keep({ way: "tailscale", url: way.url, port: way.port, target: way.target }, deps);
	} catch (error) {
		// What was paired before leads here by the same entry.
		if (before?.port !== way.port || before.target !== way.target) await tailscale.stop(way.port, way.target);
		throw error;
	}
}

async function openLan(way: Way & { kind: "lan" }, before: ReachView | undefined, deps: OpenDeps): Promise<ReachView> {
	const opened = await keep({ way: "lan", port: way.port }, deps);
	deps.step(deps.words.steps.listen(opened.url));
	try {
		await check(opened.url, deps, { ca: readFileSync(caFile(deps.home), "utf8") });
		return opened;
	} catch (error) {
		if (before === undefined) await deps.api.delete("/api/reach", z.unknown());
		else await keep(wishOf(before), deps);
		throw error;
	}
}

/** What was wished for when it was opened. */
function wishOf({ way, url, port = 0, target = "" }: ReachView): ReachWish {
	if (way === "lan") return { way, port };
	return way === "tailscale" ? { way, url, port, target } : { way, url };
}

async function keep(wish: ReachWish, { api }: OpenDeps): Promise<ReachView> {
	const { reach } = await api.put("/api/reach", wish, reachAnswer);
	if (reach === undefined) throw new AppError("internal", "The server keeps nothing of it.");
	return reach;
}

async function check(
	url: string,
	{ api, words, step, ca, signal }: OpenDeps,
	{ tries = 1, ...options }: Omit<AskOptions, "trial"> & { tries?: number } = {},
): Promise<void> {
	const trial = () => api.post("/api/reach/trial", { url: new URL(url).origin }, reachTrialAnswer);
	let problem = await askThrough(url, { ca, signal, ...options, trial });
	for (let left = tries - 1; problem?.kind === "unreachable" && left > 0 && signal?.aborted !== true; left--)
		problem = await askThrough(url, { ca, signal, ...options, trial });
	if (signal?.aborted === true) throw new CliError(words.unchanged, EXIT.ctrlC);
	if (problem !== undefined) throw failed(sayProblem(problem, url, words), words);
	step(words.steps.reached(url));
}

export function sayProblem(problem: ReachProblem, url: string, { problems }: PairWords): string {
	switch (problem.kind) {
		case "unreachable":
			return problems.unreachable(url, problem.detail);
		case "untrusted":
			return problems.untrusted(url, problem.detail);
		case "elsewhere":
			return problems.elsewhere(url, problem.status);
		case "no-websocket":
			return problems.noWebSocket(url);
	}
}

const failed = (said: string, words: PairWords) => new CliError(`${said} ${words.unchanged}`, EXIT.failed);

/** Serve goes on by itself whatever becomes of us, so it has to be told. Throws CliError with the command to run when it does not listen. */
export async function stopServing({ port = 443, target = "" }: Paired, deps: Pick<OpenDeps, "tailscale" | "words">): Promise<void> {
	const refusal = await deps.tailscale.stop(port, target);
	if (refusal === undefined) return;
	throw new CliError(deps.words.notStopped(`tailscale serve --https=${port} off`, refusal.detail), EXIT.failed);
}
