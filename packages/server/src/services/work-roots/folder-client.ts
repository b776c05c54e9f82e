import type { Cancel, Clock } from "../../core/kernel/clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Folders } from "../../core/ports/folders.ts";
import type { FolderAnswer, FolderAsk, FolderReply, FolderRequest } from "./folder-protocol.ts";

/** A process that looks at folders; see `fork-folder-process.ts`. */
export interface FolderProcess {
	send(request: FolderRequest): void;
	kill(): void;
}
export interface FolderProcessListener {
	reply(reply: FolderReply): void;
	/** It is gone, however it ended. */
	exit(): void;
}

export interface FolderClientDeps {
	clock: Clock;
	logger: Logger;
	start(listener: FolderProcessListener): FolderProcess;
}

/** A disk may have to spin up, a network folder to be mounted at first use. */
export const LOOK_LIMIT_MS = 8_000;
/** A folder that did not answer is not asked again for this long: prompts and file lists fail at once instead of waiting one after another. */
export const REST_MS = 5_000;
export const MAX_CALLS = 32;
/** Looks that wait for one of those to end; beyond it the machine is asked more than it can answer. */
export const MAX_QUEUED = 512;
/** Processes that were killed and are still there: they wait in the kernel for a mount, and each costs memory. */
export const MAX_DYING = 3;
/** Of its sixteen threads so many may be lost before the process is replaced. */
export const MAX_STUCK = 6;
const IDLE_MS = 5 * 60_000;
const MAX_TRIES = 2;
const MAX_RESTING = 64;

interface Call {
	ask: FolderAsk;
	tries: number;
	settle(answer: FolderAnswer | undefined): void;
}

/** The server's end of the folder process: every call has a deadline, and a process that is stuck is replaced. */
export function createFolderClient({ clock, logger, start }: FolderClientDeps): Folders & { close(): void } {
	const calls = new Map<number, Call>();
	const resting = new Map<string, number>();
	/** The same question asked by many at once is one look. */
	const shared = new Map<string, Promise<FolderAnswer>>();
	const queued: (() => void)[] = [];
	let ids = 0;
	let current: FolderProcess | undefined;
	let dying = 0;
	let closed = false;
	let cancelIdle: Cancel = () => undefined;

	function processNow(): FolderProcess | undefined {
		if (current !== undefined || closed || dying >= MAX_DYING) return current;
		let gone = false;
		const started: FolderProcess = start({
			reply(reply) {
				if (current !== started) return;
				calls.get(reply.id)?.settle(reply.answer);
				if (reply.stuck >= MAX_STUCK) replace("too many looks never came back");
			},
			exit() {
				if (gone) return;
				gone = true;
				if (current === started) {
					current = undefined;
					logger.warn({ waiting: calls.size }, "The folder process ended by itself");
					sendAgain();
				} else dying--;
			},
		});
		current = started;
		return started;
	}

	/** What still waits is asked of the next process; twice at most, in case that the asking itself ends it. */
	function sendAgain(): void {
		for (const [id, call] of [...calls]) {
			if (call.tries >= MAX_TRIES) call.settle(undefined);
			else post(id, call);
		}
	}

	function post(id: number, call: Call): void {
		const target = processNow();
		if (target === undefined) {
			call.settle(undefined);
			return;
		}
		call.tries++;
		target.send({ id, ask: call.ask });
	}

	function replace(reason: string): void {
		if (current === undefined) return;
		logger.warn({ reason }, "The folder process is replaced");
		const old = current;
		current = undefined;
		dying++;
		old.kill();
		sendAgain();
	}

	function ask(request: FolderAsk): Promise<FolderAnswer> {
		const key = JSON.stringify(request);
		const known = shared.get(key);
		if (known !== undefined) return known;
		const answer = whenFree(request).finally(() => shared.delete(key));
		shared.set(key, answer);
		return answer;
	}

	function whenFree(request: FolderAsk): Promise<FolderAnswer> {
		if (calls.size < MAX_CALLS) return begin(request);
		if (queued.length >= MAX_QUEUED || closed) return Promise.reject(notAnswering(request.path));
		return new Promise((resolve, reject) => {
			const startNow = () => {
				cancel();
				begin(request).then(resolve, reject);
			};
			// Whoever waits behind folders that do not answer waits no longer than for one of them.
			const cancel = clock.after(LOOK_LIMIT_MS, () => {
				queued.splice(queued.indexOf(startNow), 1);
				reject(notAnswering(request.path));
			});
			queued.push(startNow);
		});
	}

	function startQueued(): void {
		while (calls.size < MAX_CALLS && queued.length > 0) queued.shift()?.();
	}

	function begin(request: FolderAsk): Promise<FolderAnswer> {
		const rested = resting.get(request.path);
		if (rested !== undefined && clock.elapsed() < rested) return Promise.reject(notAnswering(request.path));
		cancelIdle();
		return new Promise((resolve, reject) => {
			const id = ++ids;
			const cancel = clock.after(LOOK_LIMIT_MS, () => {
				rest(request.path);
				call.settle(undefined);
				replace("a folder does not answer");
			});
			const call: Call = {
				ask: request,
				tries: 0,
				settle(answer) {
					if (!calls.delete(id)) return;
					cancel();
					if (calls.size === 0 && !closed) cancelIdle = clock.after(IDLE_MS, stop);
					if (answer === undefined) reject(notAnswering(request.path));
					else resolve(answer);
					startQueued();
				},
			};
			calls.set(id, call);
			post(id, call);
		});
	}

	function rest(path: string): void {
		resting.delete(path);
		resting.set(path, clock.elapsed() + REST_MS);
		for (const oldest of resting.keys()) {
			if (resting.size <= MAX_RESTING) return;
			resting.delete(oldest);
		}
	}

	function stop(): void {
		cancelIdle();
		const old = current;
		current = undefined;
		if (old === undefined) return;
		dying++;
		old.kill();
	}

	return {
		async look(path) {
			const answer = await ask({ kind: "look", path });
			if (answer.kind !== "look") throw notAnswering(path);
			return answer.found ?? undefined;
		},
		async children(path) {
			const answer = await ask({ kind: "children", path });
			if (answer.kind === "names") return answer.names;
			throw unreadable(path, answer.kind === "failed" ? answer.code : "");
		},
		async find(path, query) {
			const answer = await ask({ kind: "find", path, query });
			return answer.kind === "names" ? answer.names : [];
		},
		async git(path) {
			const answer = await ask({ kind: "git", path });
			return answer.kind === "git" ? (answer.git ?? undefined) : undefined;
		},
		close() {
			closed = true;
			for (const call of [...calls.values()]) call.settle(undefined);
			stop();
		},
	};
}

const unreadable = (path: string, because: string) =>
	new AppError("forbidden", `${path} cannot be read${because === "" ? "" : ` (${because})`}.`, {
		params: { reason: "unreadable", path, because },
	});
const notAnswering = (path: string) =>
	new AppError(
		"folder-not-answering",
		`${path} does not answer. If it lies on a network or removable disk, look at that, then try again.`,
		{ retryable: true, params: { path } },
	);
