import { chosenParts } from "./options.ts";
import { playRounds, type Rounds, seedOf } from "./rounds.ts";

/** What a worker is told: these rounds, one after the other. */
export interface Work {
	seed: number;
	first: number;
	rounds: number;
	only: readonly string[];
	skip: readonly string[];
	/** It goes on after a broken promise. */
	goesOn: boolean;
}

/** What it says: which round begins, and what came of all of them. */
export type Said = { kind: "round"; seed: number } | { kind: "played"; played: Rounds; rssBytes: number };

export function playWork({ seed, first, rounds, only, skip, goesOn }: Work, before: (seed: number) => boolean): Promise<Rounds> {
	const seeds = Array.from({ length: rounds }, (_, round) => seedOf(seed, first + round));
	return playRounds(seeds, chosenParts({ only, skip }), { before, maxFailed: goesOn ? rounds : 1 });
}

const say = (said: Said) => process.send?.(said);

/** This process plays what it is sent, until it is told to stop or whoever started it is gone; then it ends after the round that it plays. */
export function workForParent(): void {
	let isStopping = false;
	process.on("disconnect", () => {
		isStopping = true;
	});
	process.on("message", (message: Work | "stop") => {
		if (message === "stop") {
			isStopping = true;
			return;
		}
		const before = (seed: number) => {
			if (!isStopping) say({ kind: "round", seed });
			return !isStopping;
		};
		void playWork(message, before).then((played) => say({ kind: "played", played, rssBytes: process.memoryUsage.rss() }));
	});
}
