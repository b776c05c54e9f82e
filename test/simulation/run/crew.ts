import { type ChildProcess, fork } from "node:child_process";
import { addRounds, type FailedRound, noRounds, type Rounds } from "./rounds.ts";
import type { Said, Work } from "./worker.ts";

export interface CrewOptions {
	readonly workers: number;
	/** What a worker runs, and the options of its Node. */
	readonly program: string;
	readonly execArgv: readonly string[];
	/** A worker that has more than this is replaced after its batch. */
	readonly maxRssBytes?: number;
	/** A round that lasts longer is broken: real time, because nothing else passes in one that never ends. */
	readonly roundLimitMs?: number;
	/** A promise was broken: told with its batch, hours before a long run ends. */
	readonly onFailed?: (failed: FailedRound) => void;
}

/** Several processes that share batches of rounds. */
export interface Crew {
	/** What all of them came to, in the order of the rounds. */
	readonly done: Promise<Rounds>;
	/** So many rounds are played. */
	played(): number;
	/** Everybody ends after the round that is played now. */
	stop(): void;
	/** At once. */
	kill(): void;
}

const MAX_RSS_BYTES = 1_500_000_000;
const ROUND_LIMIT_MS = 300_000;

/** Each takes the next batch when it is done with one; after a broken promise nobody takes another, unless the work goes on. */
export function startCrew(batches: readonly Work[], options: CrewOptions): Crew {
	const { workers, maxRssBytes = MAX_RSS_BYTES } = options;
	const results: (Rounds | undefined)[] = [];
	const total = noRounds();
	const members = new Set<Member>();
	let [next, merged, isStopping, begun] = [0, 0, false, 0];

	/** In order, as soon as nothing before it is missing: a long run does not keep them all. */
	function keep(at: number, played: Rounds, goesOn: boolean): void {
		results[at] = played;
		for (const failed of played.failed) options.onFailed?.(failed);
		if (played.failed.length > 0 && !goesOn) isStopping = true;
		for (let first = results[merged]; first !== undefined; first = results[merged]) {
			addRounds(total, first);
			results[merged++] = undefined;
		}
	}
	async function work(): Promise<void> {
		let member: Member | undefined;
		for (let batch = batches[next]; batch !== undefined && !isStopping; batch = batches[next]) {
			const at = next++;
			member ??= startMember(options, () => {
				begun += 1;
			});
			members.add(member);
			const { played, rssBytes } = await member.play(batch);
			keep(at, played, batch.goesOn);
			if (rssBytes <= maxRssBytes && member.isThere()) continue;
			members.delete(member);
			member.end();
			member = undefined;
		}
		member?.end();
	}
	const done = Promise.all(Array.from({ length: Math.min(workers, batches.length) }, work)).then(() => {
		// What came after one that is missing, because all were stopped.
		for (const left of results.slice(merged)) if (left !== undefined) addRounds(total, left);
		return total;
	});
	return {
		done,
		played: () => begun,
		stop() {
			isStopping = true;
			for (const member of members) member.stop();
		},
		kill() {
			for (const member of members) member.kill();
		},
	};
}

interface Member {
	play(work: Work): Promise<{ played: Rounds; rssBytes: number }>;
	isThere(): boolean;
	stop(): void;
	end(): void;
	kill(): void;
}

function startMember({ program, execArgv, roundLimitMs = ROUND_LIMIT_MS }: CrewOptions, onRound: () => void): Member {
	// Of a group of its own: Ctrl-C reaches every process of the terminal's, and what this one does then is not for the terminal to say.
	const child: ChildProcess = fork(program, { execArgv: [...execArgv], detached: true });
	let [isThere, isStopping] = [true, false];
	child.once("exit", () => {
		isThere = false;
	});
	return {
		isThere: () => isThere,
		play: (work) =>
			new Promise((resolve) => {
				let seed = -1;
				let limit: ReturnType<typeof setTimeout> | undefined;
				function hear(said: Said): void {
					clearTimeout(limit);
					if (said.kind === "played") {
						ended(said.played, said.rssBytes);
						return;
					}
					seed = said.seed;
					onRound();
					limit = setTimeout(() => {
						ended(broken(seed, "comes-to-rest", `The round did not end within ${roundLimitMs / 1_000} s.`));
						child.kill("SIGKILL");
					}, roundLimitMs);
				}
				const gone = (code: number | null, signal: string | null) =>
					ended(isStopping ? noRounds() : broken(seed, "no-surprise", `The process that played this round ended with ${signal ?? code}.`));
				function ended(played: Rounds, rssBytes = Number.POSITIVE_INFINITY): void {
					clearTimeout(limit);
					child.off("message", hear);
					child.off("exit", gone);
					resolve({ played, rssBytes });
				}
				child.on("message", hear);
				child.once("exit", gone);
				child.send(work);
			}),
		stop() {
			isStopping = true;
			if (isThere && child.connected) child.send("stop");
		},
		end: () => void (child.connected && child.disconnect()),
		kill: () => void child.kill("SIGKILL"),
	};
}

const broken = (seed: number, invariant: string, detail: string): Rounds => ({
	...noRounds(),
	rounds: 1,
	failed: [{ seed, invariant, detail, trace: [] }],
});
