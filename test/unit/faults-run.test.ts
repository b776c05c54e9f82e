import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { FAULTS, faultsOf, WITH_ANY_AGENT } from "../faults/faults.ts";
import { addToJournal, beginJournal, type JournalHead, type RoundResult, readJournal } from "../faults/journal.ts";
import { type PlannedRound, planRounds, readRoundName, roundName } from "../faults/plan.ts";
import { playPlan } from "../faults/play-plan.ts";

const folder = mkdtempSync(join(tmpdir(), "rightseat-journal-"));
afterAll(() => rmSync(folder, { recursive: true }));

const names = (pilot: "copilot" | "acp") => faultsOf(pilot).map(({ name }) => name);
const plan = (rounds: number, seed: number) =>
	planRounds({ rounds, seed, own: { copilot: names("copilot"), acp: names("acp") }, companions: WITH_ANY_AGENT });

test("[FT11] 300 rounds play every fault alone and each at least twice, about equally often, and no combination has one twice", () => {
	for (const seed of [1, 2, 23]) {
		const rounds = plan(300, seed);
		expect(rounds).toHaveLength(300);
		expect(rounds.filter(({ faults }) => faults.length === 1).map(({ faults }) => faults[0])).toEqual([
			...names("copilot"),
			...names("acp"),
		]);
		expect(rounds.filter(({ faults }) => new Set(faults).size !== faults.length)).toEqual([]);
		const counts = FAULTS.filter(({ name }) => !WITH_ANY_AGENT.includes(name)).map(
			({ name }) => rounds.filter(({ faults }) => faults.includes(name)).length,
		);
		expect(Math.min(...counts)).toBeGreaterThanOrEqual(2);
		expect(Math.max(...counts)).toBeLessThanOrEqual(Math.min(...counts) + 3);
	}
	expect(plan(0, 1)).toHaveLength(FAULTS.length);
});

test("[FT11] a combination in an agent's world has a fault of agents, and the same seed plans the same", () => {
	const combined = plan(400, 5).filter(({ pilot, faults }) => pilot === "acp" && faults.length > 1);
	expect(combined.length).toBeGreaterThan(10);
	expect(combined.filter(({ faults }) => !faults.some((name) => names("acp").includes(name)))).toEqual([]);
	expect(plan(300, 5)).toEqual(plan(300, 5));
	expect(plan(300, 5)).not.toEqual(plan(300, 6));
	const one = planRounds({ rounds: 4, seed: 1, own: { copilot: ["flood"], acp: [] }, companions: [] });
	expect(one.map(({ faults }) => faults)).toEqual([["flood"], ["flood"], ["flood"], ["flood"]]);
});

test("[FT13] a round is known by its name, and what is no name of one is refused", () => {
	for (const round of plan(300, 7)) expect(readRoundName(roundName(round), FAULTS)).toEqual(round);
	for (const name of ["flood", "flood@", "nobody@1", "flood+nobody@1", "flood@1x", ""]) expect(readRoundName(name, FAULTS)).toBeUndefined();
});

const head = (rounds: PlannedRound[]): JournalHead => ({
	...{ rounds: rounds.length, seed: 1, browser: false, disk: "ext4", left: [], begunAt: "2026-01-02T03:04:05Z" },
	plan: rounds,
});
const result = ({ faults, seed }: PlannedRound, findings: string[] = []): RoundResult => ({
	...{ faults, seed, findings },
	...{ prompts: 1, commands: 1, ms: 10 },
});

test("[FT12] a run that was cut in the middle of a line is read up to there, and what is no journal is refused", () => {
	const rounds = plan(0, 1).slice(0, 3);
	const file = join(folder, "deep", "faults.jsonl");
	beginJournal(file, head(rounds));
	for (const round of rounds.slice(0, 2)) addToJournal(file, result(round, ["lost"]));
	appendFileSync(file, JSON.stringify(rounds[2]).slice(0, 20));
	expect(readJournal(file)).toEqual({ head: head(rounds), results: rounds.slice(0, 2).map((round) => result(round, ["lost"])) });
	writeFileSync(file, "{}\n");
	expect(() => readJournal(file)).toThrow("is no journal of this suite");
	expect(() => readJournal(join(folder, "none"))).toThrow("There is no journal");
});

/** Worlds that only say what was done in them. */
async function played(
	rounds: PlannedRound[],
	done: RoundResult[],
	manner: { fails?: string; isPutRight?: boolean; integrity?: string; end?: string } = {},
) {
	const said: string[] = [];
	const results: RoundResult[] = [];
	let worlds = 0;
	await playPlan(rounds, done, {
		faults: FAULTS,
		async createWorld(pilot) {
			worlds += 1;
			const name = `${pilot} ${worlds}`;
			return {
				name,
				server: { output: () => "last words" },
				integrity: async () => manner.integrity ?? "ok",
				isDown: async () => true,
				async close() {
					said.push(`${name} closed`);
					if (manner.end !== undefined) throw new Error(manner.end);
				},
			};
		},
		async play({ name }, faults, seed) {
			const names = faults.map((fault) => fault.name);
			said.push(`${name} plays ${names.join("+")}`);
			if (names.includes(manner.fails ?? "")) throw new Error("Peace did not come.");
			return result({ pilot: "copilot", faults: names, seed });
		},
		putRight: async () => manner.isPutRight ?? true,
		onResult: (each) => results.push(each),
		say: (line) => void said.push(line),
	});
	return { said, results };
}
const four = (["kill-server", "flood", "agent-kill", "agent-flood"] as const).map((name, seed) => readRoundName(`${name}@${seed}`, FAULTS));
const planned = four.flatMap((round) => round ?? []);

test("[FT12] what was played before is not played again, and each pilot has a world of its own, whose database is looked at", async () => {
	const { said, results } = await played(
		planned,
		planned.slice(0, 1).map((round) => result(round)),
	);
	expect(said).toEqual([
		"copilot 1 plays flood",
		"ok   2/4 flood@1 (0.0 s)",
		"ok   the database is whole after all of it: ok",
		"copilot 1 closed",
		"acp 2 plays agent-kill",
		"ok   3/4 agent-kill@2 (0.0 s)",
		"acp 2 plays agent-flood",
		"ok   4/4 agent-flood@3 (0.0 s)",
		"ok   the database is whole after all of it: ok",
		"acp 2 closed",
	]);
	expect(results.map(roundName)).toEqual(["flood@1", "agent-kill@2", "agent-flood@3"]);
});

test("[FT14] a round that breaks off is a broken promise, and a world that cannot be put right is replaced", async () => {
	const { said, results } = await played(planned.slice(0, 2), [], { fails: "kill-server", isPutRight: false, integrity: "not a database" });
	expect(said).toContain("     The server had ended. Its last words:\nlast words");
	expect(said.filter((line) => / plays | closed/.test(line))).toEqual([
		...["copilot 1 plays kill-server", "copilot 1 closed", "copilot 2 plays flood", "copilot 2 closed"],
	]);
	expect(results.map(({ faults, findings }) => [faults, findings])).toEqual([
		[["kill-server"], ["Peace did not come."]],
		[["flood"], []],
		[[], ["PRAGMA integrity_check: not a database"]],
	]);
	const kept = await played(planned.slice(0, 2), [], { fails: "kill-server" });
	expect(kept.said.filter((line) => / plays /.test(line))).toEqual(["copilot 1 plays kill-server", "copilot 1 plays flood"]);
});

test("[FT14] a server that does not end well is a broken promise, and loses nothing of the run", async () => {
	const { results } = await played(planned, [], { end: "The server ended with 1." });
	expect(results.map(({ faults, findings }) => [faults.join("+"), findings])).toEqual([
		...[
			["kill-server", []],
			["flood", []],
			["", ["The server ended with 1."]],
		],
		...[
			["agent-kill", []],
			["agent-flood", []],
			["", ["The server ended with 1."]],
		],
	]);
});
