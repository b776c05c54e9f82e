import { bundleWorker } from "./bundle.ts";
import { startCrew } from "./crew.ts";
import type { Options } from "./options.ts";
import { brokenLine, progressLine } from "./report.ts";
import { type FailedRound, noRounds, type Rounds } from "./rounds.ts";
import { playWork, type Work } from "./worker.ts";

/** The code of a command that was ended with Ctrl-C. */
export const INTERRUPTED = 130;
/** So often a run says how far it is. */
const TELL_MS = 10_000;

/** Plays all rounds that were asked for. Ctrl-C ends it after the rounds that are played now, a second one at once. */
export async function playAll(
	options: Options,
	{ tell }: { tell: (line: string) => void },
): Promise<{ total: Rounds; isInterrupted: boolean }> {
	const batches = batchesOf(options);
	const [only] = batches;
	const place = batches.length <= 1 ? "this process" : many(options.workers, "process", "processes");
	const running =
		batches.length <= 1 ? playHere(only) : await playWithOthers(batches, options.workers, (failed) => tell(brokenLine(failed)));
	const startedAt = performance.now();
	const telling = setInterval(
		() => tell(progressLine({ played: running.played(), rounds: options.rounds, seconds: (performance.now() - startedAt) / 1_000 })),
		TELL_MS,
	);
	let isInterrupted = false;
	function interrupt(): void {
		if (isInterrupted) {
			running.kill();
			running.remove();
			process.exit(INTERRUPTED);
		}
		tell("Ends after the rounds that are played now.");
		isInterrupted = true;
		running.stop();
	}
	const signals = ["SIGINT", "SIGTERM"] as const;
	for (const signal of signals) process.on(signal, interrupt);
	tell(`Plays ${many(options.rounds, "round", "rounds")} with seed ${options.seed} in ${place}.`);
	try {
		return { total: await running.done, isInterrupted };
	} finally {
		clearInterval(telling);
		for (const signal of signals) process.off(signal, interrupt);
		running.remove();
	}
}

const many = (count: number, one: string, several: string) => `${count.toLocaleString("en-US")} ${count === 1 ? one : several}`;

function batchesOf({ rounds, batch, seed, only, skip, goesOn }: Options): readonly Work[] {
	return Array.from({ length: Math.ceil(rounds / batch) }, (_, at) => {
		const first = at * batch;
		return { seed, first, rounds: Math.min(batch, rounds - first), only, skip, goesOn };
	});
}

/** What is one batch is not worth a process. */
function playHere(work: Work | undefined) {
	let [begun, isStopping] = [0, false];
	const before = () => {
		if (!isStopping) begun += 1;
		return !isStopping;
	};
	return {
		done: work === undefined ? Promise.resolve(noRounds()) : playWork(work, before),
		played: () => begun,
		stop() {
			isStopping = true;
		},
		kill: () => undefined,
		remove: () => undefined,
	};
}

async function playWithOthers(batches: readonly Work[], workers: number, onFailed: (failed: FailedRound) => void) {
	const { program, execArgv, remove } = await bundleWorker();
	return { ...startCrew(batches, { workers, program, execArgv, onFailed }), remove };
}
