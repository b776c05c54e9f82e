import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import type { AppError } from "../../core/kernel/errors.ts";
import { createFolderProcesses, type FolderProcessesDeps } from "./folder-processes.ts";
import type { FolderAnswer, FolderAsk } from "./folder-protocol.ts";

export interface FolderCallsDeps extends Pick<FolderProcessesDeps, "clock" | "logger" | "start"> {
	notAnswering(path: string): AppError;
}

/** Looks under way: each has a timeout, and so many at once. */
export interface FolderCalls {
	ask(request: FolderAsk): Promise<FolderAnswer>;
	close(): void;
}

/** A disk may have to spin up, a network folder to be mounted at first use. */
export const LOOK_LIMIT_MS = 8_000;
/** The circuit of a folder that did not answer stays open for this long: prompts and file lists fail at once instead of waiting one after another. */
export const CIRCUIT_OPEN_MS = 5_000;
export const MAX_CALLS = 32;
/** Looks that wait for one of those to end; beyond it the machine is asked more than it can answer. */
export const MAX_QUEUED = 512;
/** Of its sixteen threads so many may be lost before the process is replaced. */
export const MAX_STUCK = 6;
const IDLE_MS = 5 * 60_000;
const MAX_TRIES = 2;
const MAX_OPEN_CIRCUITS = 64;

interface Call {
	ask: FolderAsk;
	tries: number;
	settle(answer: FolderAnswer | undefined): void;
}

export function createFolderCalls({ clock, logger, start, notAnswering }: FolderCallsDeps): FolderCalls {
	const calls = new Map<number, Call>();
	const queued: (() => void)[] = [];
	const circuits = createCircuits(clock);
	let ids = 0;
	let closed = false;
	let cancelIdle: Cancel = () => undefined;
	const processes = createFolderProcesses({
		clock,
		logger,
		start,
		onReply({ id, answer, stuck }) {
			calls.get(id)?.settle(answer);
			if (stuck >= MAX_STUCK) processes.drop("too many looks never came back", { again: calls.size > 0 });
		},
		onStart() {
			for (const [id, call] of [...calls]) post(id, call);
		},
		onRefused() {
			for (const call of [...calls.values()]) call.settle(undefined);
		},
	});

	/** What still waits is asked of the next process; twice at most, in case that the asking itself ends it. */
	function post(id: number, call: Call) {
		if (call.tries >= MAX_TRIES) return call.settle(undefined);
		call.tries += 1;
		processes.send({ id, ask: call.ask });
	}

	function begin(request: FolderAsk): Promise<FolderAnswer> {
		if (circuits.isOpen(request.path)) return Promise.reject(notAnswering(request.path));
		cancelIdle();
		return new Promise((resolve, reject) => {
			const id = ++ids;
			const cancel = clock.after(LOOK_LIMIT_MS, () => {
				circuits.open(request.path);
				call.settle(undefined);
				processes.drop("a folder does not answer", { again: calls.size > 0 });
			});
			const call: Call = {
				ask: request,
				tries: 0,
				settle(answer) {
					if (!calls.delete(id)) return;
					cancel();
					if (calls.size === 0 && !closed) cancelIdle = clock.after(IDLE_MS, () => processes.drop("nothing to do", { again: false }));
					if (answer === undefined) reject(notAnswering(request.path));
					else resolve(answer);
					startQueued();
				},
			};
			calls.set(id, call);
			post(id, call);
		});
	}

	function startQueued() {
		while (calls.size < MAX_CALLS && queued.length > 0) queued.shift()?.();
	}

	function enqueue(request: FolderAsk): Promise<FolderAnswer> {
		return new Promise((resolve, reject) => {
			function startNow() {
				cancel();
				begin(request).then(resolve, reject);
			}
			// Whoever waits behind folders that do not answer waits no longer than for one of them.
			const cancel = clock.after(LOOK_LIMIT_MS, () => {
				queued.splice(queued.indexOf(startNow), 1);
				reject(notAnswering(request.path));
			});
			queued.push(startNow);
		});
	}

	return {
		ask(request) {
			if (closed) return Promise.reject(notAnswering(request.path));
			if (calls.size < MAX_CALLS) return begin(request);
			return queued.length >= MAX_QUEUED ? Promise.reject(notAnswering(request.path)) : enqueue(request);
		},
		close() {
			closed = true;
			for (const call of [...calls.values()]) call.settle(undefined);
			cancelIdle();
			processes.close();
		},
	};
}

/** One circuit breaker per folder; so many are remembered. */
function createCircuits(clock: Clock) {
	const openUntil = new Map<string, number>();
	return {
		isOpen: (path: string) => clock.elapsed() < (openUntil.get(path) ?? 0),
		open(path: string) {
			openUntil.delete(path);
			openUntil.set(path, clock.elapsed() + CIRCUIT_OPEN_MS);
			for (const oldest of openUntil.keys()) {
				if (openUntil.size <= MAX_OPEN_CIRCUITS) return;
				openUntil.delete(oldest);
			}
		},
	};
}
