import { chosenParts } from "./options.ts";
import { noRounds, playRounds, type Rounds, seedOf } from "./rounds.ts";

/** What a worker is told: these rounds, one after the other. */
export interface Work {
	seed: number;
	first: number;
	rounds: number;
	only: readonly string[];
	skip: readonly string[];
}

process.on("message", (work: Work) => {
	const seeds = Array.from({ length: work.rounds }, (_, round) => seedOf(work.seed, work.first + round));
	playRounds(seeds, chosenParts(work)).then(
		(played) => process.send?.(played),
		(error: unknown) => {
			const failed: Rounds = { ...noRounds(), failed: [{ seed: -1, invariant: "no-surprise", detail: String(error), trace: [] }] };
			process.send?.(failed);
		},
	);
});
