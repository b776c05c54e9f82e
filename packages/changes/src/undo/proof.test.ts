import { expect, test } from "vitest";
import { SEED } from "../../../../test/support/seed.ts";
import { playKilled } from "../../../../test/undo-proof/killed.ts";
import { playRecorded } from "../../../../test/undo-proof/recorded.ts";
import { runRounds } from "../../../../test/undo-proof/run-rounds.ts";
import { loadNative } from "./native.ts";

/** The long form is `npm run undo-proof -- --rounds 10000 --seed 1`. */
const ROUNDS = 120;

test("[CH240] cases 32, 33: four actors, outsiders and crashes in the middle: no byte is lost, no other path changes, done is done, nothing is left over, redo is exact", async () => {
	const counts = await runRounds({ rounds: ROUNDS, seed: SEED });
	expect({ failedSeed: counts.failedSeed, violations: counts.violations }).toEqual({ failedSeed: undefined, violations: [] });
	expect(Math.min(counts.exact, counts.merged, counts.skipped, counts.disturbed, counts.crashes, counts.redos)).toBeGreaterThan(0);
}, 240_000);

test("[CH241] case 32: a process that is killed in the middle of an undo leaves what can be ended or taken back, byte for byte", async () => {
	const killed = [await playKilled(SEED)];
	expect(killed.flatMap(({ violations }) => violations)).toEqual([]);
}, 240_000);

test("[CH242] over the real recorder, index and packs: all that a conversation did is undone, redone and undone again, exactly", async () => {
	const native = await loadNative();
	for (let round = 0; round < 8; round++) expect(await playRecorded(SEED * 1_000 + round, native)).toEqual([]);
}, 240_000);
