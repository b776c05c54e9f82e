import type { Fault } from "./fault.ts";
import type { RoundResult } from "./journal.ts";
import { type PlannedRound, roundName } from "./plan.ts";
import type { Pilot, World } from "./world.ts";

/** What the rounds of a pilot need of its world. */
export interface Stage extends Pick<World, "close" | "integrity" | "isDown"> {
	readonly server: Pick<World["server"], "output">;
}

export interface PlayDeps<W extends Stage> {
	faults: readonly Fault[];
	createWorld(pilot: Pilot): Promise<W>;
	play(world: W, faults: Fault[], seed: number): Promise<RoundResult>;
	/** Puts a world right after a round that failed; false when that did not succeed, and another world is needed. */
	putRight(world: W, faults: Fault[]): Promise<boolean>;
	/** Each round as it ends. */
	onResult(result: RoundResult): void;
	say(line: string): void;
}

/** Plays what is left of a plan, the rounds of each pilot in a world of its own, whose database is looked at in the end. */
export async function playPlan<W extends Stage>(
	plan: readonly PlannedRound[],
	done: readonly RoundResult[],
	deps: PlayDeps<W>,
): Promise<void> {
	const played = new Set(done.map(roundName));
	const left = plan.filter((round) => !played.has(roundName(round)));
	for (const pilot of ["copilot", "acp"] as const) {
		const rounds = left.filter((round) => round.pilot === pilot);
		if (rounds.length > 0) await playPilot(pilot, rounds, plan, deps);
	}
}

async function playPilot<W extends Stage>(
	pilot: Pilot,
	rounds: readonly PlannedRound[],
	plan: readonly PlannedRound[],
	deps: PlayDeps<W>,
): Promise<void> {
	let world = await deps.createWorld(pilot);
	try {
		for (const round of rounds) {
			const faults = round.faults.flatMap((name) => deps.faults.filter((fault) => fault.name === name));
			const began = Date.now();
			const result = await deps.play(world, faults, round.seed).catch((error: unknown) => brokenOff(round, error, Date.now() - began));
			deps.onResult(result);
			deps.say(lineOf(result, `${plan.indexOf(round) + 1}/${plan.length}`));
			for (const finding of result.findings) deps.say(`     ${finding}`);
			if (result.findings.length === 0) continue;
			if (await world.isDown()) deps.say(`     The server had ended. Its last words:\n${world.server.output().slice(-3_000)}`);
			if (await deps.putRight(world, faults)) continue;
			deps.say("     It could not be put right; the next round begins in a new world.");
			await world.close().catch((error: unknown) => deps.say(`     ${sentence(error)}`));
			world = await deps.createWorld(pilot);
		}
		const integrity = await world.integrity().catch(sentence);
		deps.say(`${integrity === "ok" ? "ok  " : "FAIL"} the database is whole after all of it: ${integrity}`);
		if (integrity !== "ok") deps.onResult(brokenOff({ faults: [], seed: 0 }, `PRAGMA integrity_check: ${integrity}`));
	} finally {
		// A server that does not end well is a finding of this run, and no reason to lose the others.
		await world.close().catch((error: unknown) => {
			deps.say(`FAIL the end of the world: ${sentence(error)}`);
			deps.onResult(brokenOff({ faults: [], seed: 0 }, error));
		});
	}
}

const lineOf = (result: RoundResult, count: string) =>
	`${result.findings.length === 0 ? "ok  " : "FAIL"} ${count} ${roundName(result)} (${(result.ms / 1_000).toFixed(1)} s)`;

function brokenOff({ faults, seed }: Pick<PlannedRound, "faults" | "seed">, error: unknown, ms = 0): RoundResult {
	return { seed, faults, prompts: 0, commands: 0, ms, findings: [sentence(error)] };
}

const sentence = (error: unknown) => (error instanceof Error ? error.message : String(error));
