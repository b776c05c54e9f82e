import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Message } from "@rightseat/protocol/model/message";
import { expect, test } from "vitest";
import { corePart } from "../simulation/core/core-part.ts";
import { isPartOf } from "../simulation/core/shown.ts";
import type { Part, Step, World } from "../simulation/frame/part.ts";
import { makePlan } from "../simulation/frame/plan.ts";
import { play } from "../simulation/frame/play.ts";
import { MUTANT_ROUNDS, SIMULATION_MUTANTS } from "../simulation/mutants.ts";
import { pagesPart } from "../simulation/pages/pages-part.ts";
import { PARTS } from "../simulation/parts.ts";
import { mutantsText, readRows } from "../simulation/run/mutants-table.ts";
import { neverHappened, noRounds, playRounds, seedOf } from "../simulation/run/rounds.ts";
import { shrink } from "../simulation/run/shrink.ts";
import { ROOT } from "./support/source-files.ts";

const OWN = [corePart, pagesPart];
/** Each with the rule that keeps it since. */
const MENDED = [
	...[21_055_145, 21_000_072], // CV151
];
const page = readFileSync(join(ROOT, "docs/simulation.md"), "utf8");

test("[SM1] the same seed gives the same round, byte for byte", async () => {
	for (const seed of [3, 11]) {
		const [one, other] = [await play(makePlan(seed, OWN), OWN), await play(makePlan(seed, OWN), OWN)];
		expect([other.hash, other.steps, other.simulatedMs, [...other.counts]]).toEqual([
			one.hash,
			one.steps,
			one.simulatedMs,
			[...one.counts],
		]);
	}
	const [one, other] = [await play(makePlan(3, OWN), OWN), await play(makePlan(4, OWN), OWN)];
	expect(one.hash).not.toBe(other.hash);
});

test("[SM2] thirty rounds of a fixed seed break no promise", async () => {
	const seeds = Array.from({ length: 30 }, (_, round) => seedOf(7, round));
	const { failed, rounds } = await playRounds(seeds, OWN);
	expect([failed, rounds]).toEqual([[], 30]);
});

test("[SM2] rounds that broke a promise once break none", async () => {
	const { failed, rounds } = await playRounds(MENDED, OWN);
	expect([failed, rounds]).toEqual([[], MENDED.length]);
});

/** Steps of its own, beside those of the core. */
function partOf(play: (world: World) => Record<string, () => void>, invariants = {}): Part {
	const kinds = ["first", "second"].map((name) => ({ name, weight: 10 }));
	return { name: "stand-in", kinds, invariants, covers: [], join: (world) => ({ play: play(world) }) };
}

/** Says that a promise is broken when there was one step and, later, another. */
const suspicious = partOf((world) => {
	let seen = false;
	return {
		first() {
			seen = true;
		},
		second() {
			if (seen) world.violate("never-both", "first, then second");
		},
	};
});

test("[SM3] a failed plan is shrunk to the steps that break the promise", async () => {
	const parts = [corePart, suspicious];
	const plans = Array.from({ length: 20 }, (_, seed) => makePlan(seed, [corePart]));
	const steps = plans.find((plan) => plan.steps.length >= 15)?.steps ?? [];
	const own = (kind: string, at: number): Step => ({ part: "stand-in", kind, a: 0, b: 0, c: 0, waitMs: 0, at });
	const long = [...steps.slice(0, 6), own("first", 900), ...steps.slice(6, 12), own("second", 901), ...steps.slice(12, 15)];
	expect(long.length).toBeGreaterThan(12);
	const shrunk = await shrink({ seed: 6, steps: long }, parts);
	expect(shrunk.plan.steps.map(({ kind }) => kind)).toEqual(["first", "second"]);
	expect(shrunk.played.violation).toMatchObject({ invariant: "never-both", detail: "first, then second" });
});

const SABOTAGE: Record<string, readonly [sql: string, invariant: string]> = {
	"an event that was shown is gone": ["DELETE FROM events WHERE seq = 1", "shown-is-kept"],
	"an event says something else": ["UPDATE events SET frame = replace(frame, 'Please', 'Never')", "shown-is-kept"],
	"an acknowledged prompt is gone": ["DELETE FROM messages WHERE role = 'user'", "acknowledged-is-kept"],
	"a turn is left open": [
		"INSERT OR REPLACE INTO open_turns SELECT id, 'm', 'u', 0, 1 FROM conversations WHERE id NOT IN (SELECT conversation_id FROM open_turns)",
		"turns-end-once",
	],
	"prompts stand in another order": ["UPDATE messages SET position = 1000 - position WHERE position < 1000", "messages-in-order"],
	"a command never ended": ["UPDATE commands SET ended_at = NULL", "commands-come-to-something"],
	"an answer is not what was shown": ["UPDATE messages SET content = 'Something else' WHERE role = 'assistant'", "fold-is-stored"],
};

test("[SM4] what is shown of a very long answer is a part of it, or is noticed", () => {
	/** Names of texts and what they say; what ends with a star is marked as cut. */
	const answer = (texts: readonly (readonly [string, string])[]): Message => ({
		...{ id: "a", role: "assistant", createdAt: "t" },
		content: texts.flatMap(([, said]) => (said === "*" ? [] : [said.replace("*", "")])).join("\n\n"),
		metadata: {
			...{ outcome: "completed", tools: [] },
			parts: texts.map(([messageId, said]) => ({
				...{ kind: "text" as const, messageId, content: said.replace("*", "") },
				...(said.endsWith("*") ? { truncated: 99 } : {}),
			})),
		},
	});
	const logged = answer(Object.entries({ a: "first", b: "second, and more", c: "the last" }));
	const shown = (texts: Record<string, string>) => isPartOf(answer(Object.entries(texts)), logged);
	const parts: Record<string, string>[] = [
		{ a: "first", b: "sec*" },
		{ b: "more*", c: "the last" },
		{ a: "st*", b: "*", c: "last*" },
		{ c: "last*" },
	];
	const others: Record<string, string>[] = [
		{ a: "fir*", b: "more*", c: "the last" },
		{ a: "st*", b: "more", c: "last*" },
		{ a: "st*", c: "last*" },
		{ b: "second, or more*", c: "last*" },
		{ b: "last*", c: "more*" },
	];
	expect(parts.filter((part) => !shown(part))).toEqual([]);
	expect(others.filter(shown)).toEqual([]);
});

test.each(Object.entries(SABOTAGE))("[SM4] the examiner notices: %s", async (_, [sql, invariant]) => {
	// When everything is at peace, somebody reaches into the database.
	const saboteur: Part = { ...partOf(() => ({})), name: "saboteur", kinds: [] };
	const reach: Part = {
		...saboteur,
		join: (world) => ({ play: {}, rest: () => true, examine: () => void world.host.life?.disk.look(sql) }),
	};
	const parts = [reach, corePart];
	const found: string[] = [];
	for (let seed = 1; seed <= 12 && !found.includes(invariant); seed += 1) {
		const { violation } = await play(makePlan(seed, parts), parts);
		if (violation !== undefined) found.push(violation.invariant);
	}
	expect(found).toContain(invariant);
});

test("[SM5] every mutant of the list applies to the source", () => {
	const lost = SIMULATION_MUTANTS.filter(({ file, search }) => readFileSync(join(ROOT, file), "utf8").split(search).length !== 2);
	expect(lost.map(({ name }) => name)).toEqual([]);
	expect(SIMULATION_MUTANTS.length).toBeGreaterThanOrEqual(20);
	expect(new Set(SIMULATION_MUTANTS.map(({ area }) => area)).size).toBeGreaterThanOrEqual(9);
});

test("[SM5] every mutant stands in the document, noticed by a promise within 500 rounds", () => {
	const promises = PARTS.flatMap(({ invariants }) => Object.keys(invariants));
	const noticed = readRows(page).filter(({ invariant = "", round }) => promises.includes(invariant) && round <= MUTANT_ROUNDS);
	const rows = readRows(page).map(({ name }) => name);
	expect(rows).toEqual(SIMULATION_MUTANTS.map(({ name }) => name));
	expect(noticed.map(({ name }) => name)).toEqual(rows);
});

test("[SM5] the rows of what was played are written, the others stay, and what is no longer listed goes", () => {
	const [first, second] = SIMULATION_MUTANTS;
	if (first === undefined || second === undefined) throw new Error("There are no mutants.");
	const once = mutantsText("", [{ mutant: second, verdict: "noticed", invariant: "no-gap", rounds: 7 }], 3);
	expect(readRows(once)).toMatchObject([{ name: second.name, invariant: "no-gap", round: 7 }]);
	const gone = `${once}| core | a mutant of old | \`core/old.ts\` | \`no-gap\` | 1 |\n`;
	const twice = mutantsText(gone, [{ mutant: first, verdict: "survived", invariant: "", rounds: 500 }], 3);
	expect(readRows(twice).map(({ name, invariant }) => [name, invariant])).toEqual([
		[first.name, undefined],
		[second.name, "no-gap"],
	]);
	expect(twice).toContain("1 of 2 that were played are noticed");
});

test("[SM6] every kind of step is in the plans of 500 rounds, and what never happened in as many is named", () => {
	const seen = new Set<string>();
	for (let round = 0; round < 500; round += 1)
		for (const { part, kind } of makePlan(seedOf(1, round), PARTS).steps) seen.add(`${part}: ${kind}`);
	const kinds = PARTS.flatMap((part) => part.kinds.map((kind) => `${part.name}: ${kind.name}`));
	expect(kinds.filter((kind) => !seen.has(kind))).toEqual([]);
	const counts = Object.fromEntries([...kinds, ...corePart.covers].map((what) => [what, 1]));
	expect(neverHappened({ ...noRounds(), rounds: 500, counts: { ...counts, "core: kill": 0 } }, [corePart])).toEqual(["core: kill"]);
	expect(neverHappened({ ...noRounds(), rounds: 499 }, [corePart])).toEqual([]);
});

test("[SM7] the document names every promise that is checked, with its sentence", () => {
	const untold = PARTS.flatMap(({ invariants }) => Object.entries(invariants)).filter(
		([name, sentence]) => !page.includes(`| \`${name}\` | ${sentence} |`),
	);
	expect(untold).toEqual([]);
});
