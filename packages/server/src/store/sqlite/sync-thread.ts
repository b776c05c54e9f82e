import { Worker } from "node:worker_threads";
import { AppError } from "../../core/kernel/errors.ts";

/** Makes what was written to the -wal before the call survive a power cut. One call at a time. */
export interface Syncer {
	sync(done: (error?: Error) => void): void;
	close(): Promise<void>;
}

/**
 * Runs fdatasync on the -wal in a thread of its own. Not in libuv's pool: four calls that hang on a dead mount would hold up every
 * commit. The thread starts with the first call.
 */
export function createSyncThread(walPath: string): Syncer {
	const control = new Int32Array(new SharedArrayBuffer(4));
	let worker: Worker | undefined;
	let waiting: ((error?: Error) => void) | undefined;

	function start(): Worker {
		const started = new Worker(SCRIPT, {
			eval: true,
			workerData: { walPath, control },
			env: {},
			execArgv: [],
			resourceLimits: SMALL_HEAP,
			name: "storage-sync",
		});
		started.on("message", (message: unknown) => settle(errorFrom(message)));
		// Without its thread nothing can become durable; that is the same as a disk that failed.
		started.on("error", (error: Error) => settle(error));
		started.on("exit", () => settle(new AppError("storage-unusable", "The thread that syncs the database has ended.")));
		return started;
	}
	function settle(error: Error | undefined): void {
		const done = waiting;
		waiting = undefined;
		worker?.unref();
		done?.(error);
	}

	return {
		sync(done) {
			worker ??= start();
			waiting = done;
			// A process that only waits for this must not end before it.
			worker.ref();
			Atomics.add(control, 0, 1);
			Atomics.notify(control, 0);
		},
		async close() {
			const ending = worker;
			worker = undefined;
			waiting = undefined;
			ending?.removeAllListeners("exit");
			await ending?.terminate();
		},
	};
}

/** It holds nothing; without this V8 sets aside megabytes for it. */
const SMALL_HEAP = { maxYoungGenerationSizeMb: 1, maxOldGenerationSizeMb: 16 };

function errorFrom(message: unknown): Error | undefined {
	return typeof message === "string" ? new AppError("storage-unusable", message) : undefined;
}

// Text, because a file of its own would have to be found both in the sources and in the built server.
// Opening and closing the -wal is harmless: SQLite's locks are on the database and the -shm, and those would be dropped by it.
const SCRIPT = `
const { parentPort, workerData } = require("node:worker_threads");
const { fdatasyncSync, openSync } = require("node:fs");
const { walPath, control } = workerData;
const state = { seen: 0 };
for (;;) {
	Atomics.wait(control, 0, state.seen);
	// Read before the call: whatever was asked for by then had been written before the fdatasync began.
	state.seen = Atomics.load(control, 0);
	try {
		state.file ??= openSync(walPath, "r");
		fdatasyncSync(state.file);
		parentPort.postMessage(null);
	} catch (error) {
		parentPort.postMessage(String(error.message));
	}
}
`;
