import { loadNative } from "../../packages/changes/src/undo/native.ts";
import { playRound, type RoundCounts } from "./round.ts";

/** Many rounds, each with a seed of its own, so that a failed one can be played alone. Ends at the first violation. */
export async function runRounds(options: {
	rounds: number;
	seed: number;
	onRound?: (round: number) => void;
}): Promise<RoundCounts & { failedSeed?: number }> {
	const native = await loadNative();
	const total: RoundCounts = { undos: 0, exact: 0, merged: 0, skipped: 0, disturbed: 0, crashes: 0, redos: 0, violations: [] };
	for (let round = 0; round < options.rounds; round++) {
		const seed = options.seed * 1_000_003 + round;
		const { violations, ...counts } = playRound(seed, native);
		for (const key of ["undos", "exact", "merged", "skipped", "disturbed", "crashes", "redos"] as const) total[key] += counts[key];
		if (violations.length > 0) return { ...total, violations, failedSeed: seed };
		options.onRound?.(round);
	}
	return total;
}
