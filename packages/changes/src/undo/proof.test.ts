import { expect, test } from "vitest";
import { SEED } from "../../../../test/support/seed.ts";
import { playKilled } from "../../../../test/undo-proof/killed.ts";
import { runRounds } from "../../../../test/undo-proof/run-rounds.ts";

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
