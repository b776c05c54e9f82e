import { Worker } from "node:worker_threads";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { parseLine } from "../../../mcp/message.ts";
import { createLargeLineReader, KEPT_CHARS, KEPT_VALUES, type LargeLine, MAX_VALUES } from "./read-large-line.ts";

/** Reads large lines on a thread of its own, one at a time: parsing one can take seconds. The thread starts with the first and leaves when it is not used. */
export interface LargeLineThread {
	/** The next bytes of the line; copied. */
	part(bytes: Uint8Array): void;
	/** The line is whole. Never rejects. */
	end(): Promise<LargeLine>;
	/** The line is of no use. */
	drop(): void;
	close(): void;
}

/** An agent that sends one large line often sends another. */
export const IDLE_MS = 60_000;

export function createLargeLineThread(clock: Clock): LargeLineThread {
	let worker: Worker | undefined;
	let settle: (line: LargeLine) => void = () => undefined;
	let cancelIdle: Cancel = () => undefined;
	/** The beginning of the line went with the thread that had it. */
	let isLost = false;

	function close(): void {
		cancelIdle();
		void worker?.terminate();
		worker = undefined;
		settle({ kind: "failed" });
	}

	function start(): Worker {
		// Without a bound on its memory: V8 ends the whole process when a thread reaches one in the middle of JSON. The bounds on bytes and values are before it.
		const started = new Worker(SCRIPT, { eval: true, env: {}, execArgv: [] });
		started.unref();
		started.on("message", (line: LargeLine) => {
			cancelIdle = clock.after(IDLE_MS, close);
			settle(line);
		});
		// What was read could not be handed over, or the thread was ended.
		const fail = () => {
			if (worker !== started) return;
			isLost = true;
			close();
		};
		started.on("error", fail);
		started.on("messageerror", fail);
		started.on("exit", fail);
		return started;
	}

	return {
		part(bytes) {
			if (isLost) return;
			cancelIdle();
			worker ??= start();
			const copy = new Uint8Array(bytes);
			worker.postMessage(copy, [copy.buffer]);
		},
		end() {
			return new Promise((resolve) => {
				settle = resolve;
				if (worker === undefined) resolve({ kind: "failed" });
				else worker.postMessage("end");
				isLost = false;
			});
		},
		drop() {
			worker?.postMessage("drop");
			isLost = false;
		},
		close,
	};
}

// Text, because a file of its own would have to be found both in the sources and in the built server. `__name`: see `FIND_TASK` of the search.
const SCRIPT = `
const { parentPort } = require("node:worker_threads");
const bounds = ${JSON.stringify({ maxValues: MAX_VALUES, keptValues: KEPT_VALUES, keptChars: KEPT_CHARS })};
const read = ((__name) => (${String(createLargeLineReader)})(${String(parseLine)}, bounds))((value) => value);
const state = { parts: [] };
const take = () => {
	const line = Buffer.concat(state.parts);
	state.parts = [];
	return line;
};
parentPort.on("message", (message) => {
	if (typeof message !== "string") state.parts.push(message);
	else if (message === "drop") state.parts = [];
	else {
		try {
			parentPort.postMessage(read(take()));
		} catch {
			parentPort.postMessage({ kind: "failed" });
		}
	}
});
`;
