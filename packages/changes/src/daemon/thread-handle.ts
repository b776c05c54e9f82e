import { Worker, type WorkerOptions } from "node:worker_threads";
import { type Answer, type Ask, isFromTrackerd } from "./tracker-protocol.ts";
import type { ThreadData } from "./tracker-thread.ts";

/** A thread of the recorder, seen from its process. */
export interface ThreadHandle {
	/** Never rejects; `failed` when the thread ends before it has answered. */
	ask(ask: Ask): Promise<Answer>;
	/** Asks that wait for an answer. */
	readonly pending: number;
	/** A number that grows as long as the thread gets anywhere. */
	activity(): number;
	readonly ended: boolean;
	close(): void;
	/** Ends it if that is possible. A thread that waits for a dead disk ends when that answers; resolves then. */
	abandon(): Promise<void>;
}

/** Memory of one thread for 100,000 files, with room. */
const MAX_THREAD_BYTES = 256 * 1024 * 1024;

// What is new in memory is looked through often: else each thread keeps tens of megabytes of what it read and no longer needs.
export const THREAD_LIMITS = { maxOldGenerationSizeMb: MAX_THREAD_BYTES / 1_048_576, maxYoungGenerationSizeMb: 3 };

export function startThread(entry: URL, data: Omit<ThreadData, "progress">, onEnd: () => void): ThreadHandle {
	const progress = new SharedArrayBuffer(4);
	const counter = new Int32Array(progress);
	const workerData: ThreadData = { ...data, progress };
	const worker = createWorker(entry, { workerData, resourceLimits: THREAD_LIMITS });
	const waiting = new Map<number, (answer: Answer) => void>();
	let requests = 0;
	let replies = 0;
	let ended = false;

	function end(reason: string): void {
		if (ended) return;
		ended = true;
		for (const resolve of waiting.values()) resolve({ kind: "failed", reason });
		waiting.clear();
		onEnd();
	}
	worker.on("message", (message) => {
		if (!isFromTrackerd(message)) return;
		replies += 1;
		if (message.kind !== "reply") return;
		waiting.get(message.request)?.(message.answer);
		waiting.delete(message.request);
	});
	worker.on("error", (error) => {
		process.stderr.write(`a thread of the recorder failed: ${error.stack ?? error.message}\n`);
		end(error.message);
	});
	worker.on("exit", () => end("the thread has ended"));
	// The process ends when its server is gone, whatever a disk does.
	worker.unref();

	return {
		ask(ask) {
			if (ended) return Promise.resolve({ kind: "failed", reason: "the thread has ended" });
			const request = ++requests;
			worker.postMessage({ kind: "ask", request, ask });
			return new Promise((resolve) => waiting.set(request, resolve));
		},
		get pending() {
			return waiting.size;
		},
		activity: () => Atomics.load(counter, 0) + replies,
		get ended() {
			return ended;
		},
		close: () => worker.postMessage({ kind: "close" }),
		async abandon() {
			const gone = worker.terminate();
			end("the folder does not answer");
			await gone;
		},
	};
}

/** A thread does not inherit the loader that runs sources, so it gets its own. */
function createWorker(entry: URL, options: WorkerOptions): Worker {
	if (!entry.pathname.endsWith(".ts")) return new Worker(entry, options);
	const load = (specifier: string) => `import(${JSON.stringify(specifier)})`;
	return new Worker(`${load("tsx/esm/api")}.then(({ register }) => { register(); return ${load(entry.href)}; })`, {
		...options,
		eval: true,
	});
}
