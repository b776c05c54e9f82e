import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { queryObjects } from "node:v8";
import { afterAll, expect, test } from "vitest";
import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { corePart } from "../simulation/core/core-part.ts";
import type { Step } from "../simulation/frame/part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { makeScratch, scratchPlace, sweepScratch } from "../simulation/frame/scratch.ts";
import { type CrewOptions, startCrew } from "../simulation/run/crew.ts";
import { readOptions } from "../simulation/run/options.ts";
import { playAll } from "../simulation/run/play-all.ts";
import { brokenLine, progressLine, resultsText, summary } from "../simulation/run/report.ts";
import { addRounds, hashOf, noRounds, playRounds, seedOf } from "../simulation/run/rounds.ts";
import type { Work } from "../simulation/run/worker.ts";
import { ROOT } from "./support/source-files.ts";

const folder = mkdtempSync(join(tmpdir(), "rightseat-crew-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ownFolders = (pid: number) => readdirSync(scratchPlace()).filter((name) => name.startsWith(`rightseat-simulation-${pid}-`));

test("[SM20] a round leaves nothing behind, and what a killed process left is swept", async () => {
	await play(makePlan(3, [corePart]), [corePart]);
	expect(ownFolders(process.pid)).toEqual([]);
	const gone = spawnSync(process.execPath, ["-e", ""]).pid;
	const left = join(scratchPlace(), `rightseat-simulation-${gone}-killed`);
	const running = join(scratchPlace(), `rightseat-simulation-${process.ppid}-runs`);
	const own = makeScratch();
	for (const each of [left, running]) mkdirSync(join(each, "desk-0"), { recursive: true });
	try {
		sweepScratch();
		expect([left, running, own].map((each) => existsSync(each))).toEqual([false, true, true]);
	} finally {
		for (const each of [running, own]) rmSync(each, { recursive: true });
	}
});

test("[SM22] nothing of a round stays in memory, also when a process is killed while its agent waits for an answer", async () => {
	const { DatabaseSync } = loadSqlite().module;
	const kinds = ["prompt", "agent-asks", "agent-asks", "kill"];
	const steps = kinds.map((kind, at): Step => ({ part: "core", kind, a: 0.1, b: 0.1, c: 0.1, waitMs: 50, at }));
	const left: number[] = [];
	for (let round = 0; round < 4; round += 1) {
		const { counts } = await play({ seed: 1, steps }, [corePart]);
		expect(counts.get("core: kill")).toBe(1);
		left.push(queryObjects(DatabaseSync, { format: "count" }));
	}
	// What tests before this one left may be collected meanwhile: fewer is no leak.
	expect(Math.max(...left.slice(1)), left.join(" ")).toBeLessThanOrEqual(left[0] ?? 0);
});

/** A worker that plays nothing: `each` says what a round does to `total`; its name is the hash. */
function crewOf(each: string, options: Partial<CrewOptions> = {}, batches = worksOf(4)) {
	const program = join(folder, `${Math.random()}.mjs`);
	writeFileSync(
		program,
		`process.on("message", (work) => {
			if (work === "stop") return process.exit(7);
			const total = { rounds: 0, steps: 0, simulatedMs: 0, hashes: [], counts: {}, failed: [] };
			const say = (said) => process.send(said);
			let rssBytes = 1;
			for (let at = work.first; at < work.first + work.rounds; at += 1) {
				say({ kind: "round", seed: at });
				total.rounds += 1;
				total.hashes.push("h" + at);
				${each}
			}
			say({ kind: "played", played: total, rssBytes });
		});`,
	);
	return startCrew(batches, { workers: 2, program, execArgv: [], ...options });
}

const worksOf = (count: number, goesOn = false): Work[] =>
	Array.from({ length: count }, (_, at) => ({ seed: 1, first: at * 3, rounds: 3, only: [], skip: [], goesOn }));

test("[SM21] rounds are counted in their order, whoever played them and in whatever batches", async () => {
	const crew = crewOf("total.counts[process.pid] = 1;", { workers: 3 }, worksOf(7));
	const total = await crew.done;
	expect(total.hashes).toEqual(Array.from({ length: 21 }, (_, at) => `h${at}`));
	expect([total.rounds, crew.played()]).toEqual([21, 21]);
	const halves = noRounds();
	for (const hashes of [total.hashes.slice(0, 5), total.hashes.slice(5)]) addRounds(halves, { ...noRounds(), hashes });
	expect(hashOf(halves)).toBe(hashOf(total));
	expect(hashOf({ ...total, hashes: total.hashes.toReversed() })).not.toBe(hashOf(total));
});

test("[SM22] a worker that grows is replaced, one that dies or hangs is a broken round, and the run goes on if it should", async () => {
	const grown = await crewOf("total.counts[process.pid] = 1; rssBytes = 10;", { workers: 1, maxRssBytes: 9 }).done;
	expect([Object.keys(grown.counts).length, grown.rounds]).toEqual([4, 12]);
	const steady = await crewOf("total.counts[process.pid] = 1; rssBytes = 10;", { workers: 1, maxRssBytes: 10 }).done;
	expect(Object.keys(steady.counts)).toHaveLength(1);
	const died = await crewOf("if (at === 4) process.exit(3);", { workers: 1 }, worksOf(4, true)).done;
	expect(died.failed).toMatchObject([{ seed: 4, invariant: "no-surprise", detail: "The process that played this round ended with 3." }]);
	expect(died.rounds).toBe(3 + 1 + 6);
	const hung = await crewOf("while (at === 7);", { workers: 1, roundLimitMs: 500 }).done;
	expect(hung.failed).toMatchObject([{ seed: 7, invariant: "comes-to-rest", detail: "The round did not end within 0.5 s." }]);
	expect(hung.rounds).toBe(6 + 1);
});

test("[SM23] a broken promise is told with its batch, before the run ends", async () => {
	const told: string[] = [];
	const broken = 'if (at === 1) total.failed.push({ seed: at, invariant: "no-gap", detail: "One is missing.\\nAnd more.", trace: [] });';
	// The last round never ends by itself.
	const crew = crewOf(
		`${broken} if (at === 11) return;`,
		{ workers: 1, onFailed: (failed) => void told.push(brokenLine(failed)) },
		worksOf(4, true),
	);
	await expect.poll(() => crew.played()).toBe(12);
	expect(told).toEqual(["BROKEN: no-gap in the round with the seed 1: One is missing."]);
	crew.kill();
	await crew.done;
});

test("[SM24] whoever ends when all are stopped has broken nothing", async () => {
	// It plays on for ever, and ends without a word when it is told to stop.
	const crew = crewOf("if (at === 4) return;", { workers: 1 });
	await expect.poll(() => crew.played()).toBe(5);
	crew.stop();
	const total = await crew.done;
	expect([total.failed, total.rounds]).toEqual([[], 3]);
});

test("[SM23] a run says how far it is, and what is published says what was played", () => {
	expect(progressLine({ played: 0, rounds: 100_000, seconds: 0 })).toBe("0 of 100,000 rounds in 0 s");
	expect(progressLine({ played: 25_000, rounds: 100_000, seconds: 900 })).toBe("25,000 of 100,000 rounds in 15 min, about 45 min to go");
	const counts = { "core: kill": 1_200, "died before a commit": 77 };
	const total = { ...noRounds(), rounds: 1_000, steps: 41_000, simulatedMs: 7_200_000, counts };
	expect(summary(total, 60)).toBe("1000 rounds, 41000 steps, 2.0 h of simulated time in 60.0 s, 60.0 ms a round");
	const text = resultsText(
		total,
		{ rounds: 1_000, seed: 5, workers: 2, seconds: 60, only: ["core", "pages"] },
		{ commit: "`abc`", date: new Date("2026-02-03T04:05:06Z") },
	);
	const lines = text.split("\n");
	expect(lines[0]).toBe("Result: 1,000 rounds, 41,000 steps, 1,200 of them faults, no promise broken.");
	for (const line of ["| date | 2026-02-03 |", "| commit | `abc` |", "| seed | 5 |", "| simulated time | 2 h |", "| core: kill | 1,200 |"])
		expect(lines).toContain(line);
	expect(lines).toContain("| died before a commit | 77 |");
	expect(lines).toContain("| command | `npm run simulate -- --rounds 1000 --seed 5 --workers 2 --only core,pages --docs` |");
	expect(text).toContain(`Node ${process.version}`);
	expect(text).toContain("| time | 60 s, 60.0 ms a round with 2 processes |");
	const broken = { ...total, failed: [{ seed: 9, invariant: "no-gap", detail: "", trace: [] }] };
	expect(resultsText(broken, { rounds: 1_000, seed: 5, workers: 2, seconds: 60 })).toContain(
		"| broken | `no-gap` in the round with the seed 9 |",
	);
});

test("[SM21] several processes play what one plays", async () => {
	const { total } = await playAll(readOptions(["--rounds", "6", "--batch", "2", "--only", "core"]), { tell: () => undefined });
	const seeds = Array.from({ length: 6 }, (_, round) => seedOf(1, round));
	const alone = await playRounds(seeds, [corePart]);
	expect([hashOf(total), total.steps, total.counts]).toEqual([hashOf(alone), alone.steps, alone.counts]);
	expect(ownFolders(process.pid)).toEqual([]);
});

test("[SM24] a run that is ended with Ctrl-C tells what it had, and leaves nothing behind", async () => {
	const program = ["--import", "tsx", "test/simulation/run/simulate.ts", "--rounds", "100000", "--only", "core"];
	const child = spawn(process.execPath, program, { cwd: ROOT, stdio: ["ignore", "pipe", "inherit"], detached: true });
	const lines: string[] = [];
	const ended = once(child, "exit");
	for await (const line of createInterface(child.stdout)) {
		lines.push(line);
		// To every process of its group, as a terminal does it.
		if (lines.length === 1 && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
	}
	expect(await ended).toEqual([130, null]);
	expect(lines[0]).toBe("Plays 100,000 rounds with seed 1 in 2 processes.");
	expect(lines.join("\n")).toMatch(
		/\n\d+ rounds, \d+ steps.*\nEnded before its time: \d+ of 100000 rounds were played\.\nNo promise was broken/,
	);
	expect(child.pid === undefined ? [] : ownFolders(child.pid)).toEqual([]);
});
