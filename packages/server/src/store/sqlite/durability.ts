import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Syncer } from "./sync-thread.ts";

/**
 * Knows which commits survive a power cut. A commit writes to the page cache only; it counts as durable when a sync that *began*
 * after it has returned. Everything committed while one sync runs is covered by the next, so a slow disk makes larger groups.
 */
export interface Durability {
	/** A transaction that wrote something has been committed. */
	committed(): void;
	/** Runs them when everything committed so far is durable, in the order of the calls; at once when it is. After a failure they are lost. */
	after(runs: readonly AfterCommit[]): void;
	/** The same as a promise; rejects when the disk failed. */
	durable(): Promise<void>;
	/** A sync runs or commits are held: what is committed now is shown no sooner than what is committed when it ends. */
	busy(): boolean;
	/** Called whenever `busy` ends, before the next sync begins: what is committed there is part of it. */
	onFree(listener: () => void): () => void;
	/** Asks those who can wait not to commit until the result is called. */
	hold(): () => void;
	/** A sync has failed: nothing more becomes durable in this process. */
	hasFailed(): boolean;
	/** Called once, in the moment in which one fails. */
	onFailed(listener: () => void): void;
}

/** What waits for a commit to be durable. */
export interface AfterCommit {
	run(): void;
	/** Instead of it, when the disk failed: that commit may be gone after a power cut. */
	lost?: ((error: AppError) => void) | undefined;
}

interface Waiting {
	/** The commit that must be durable first. */
	mark: number;
	run(): void;
	fail(error: AppError): void;
}

export const SYNC_FAILED_MESSAGE =
	"The disk failed while Rightseat was saving, so nothing new is saved, and conversations that were being saved cannot be shown. What you were shown is kept. Check the disk, then restart Rightseat.";

/** Without a syncer (a database in memory) every commit is durable at once. */
export function createDurability(deps: {
	syncer: Syncer | undefined;
	logger: Logger;
	/** Nothing that was committed since the last good sync may be promised; called once. */
	onFailure(error: Error): void;
}): Durability {
	const { syncer, logger } = deps;
	const queue: Waiting[] = [];
	const listeners = new Set<() => void>();
	const toldOfFailure = new Set<() => void>();
	let written = 0;
	let synced = 0;
	let running = false;
	let holds = 0;
	let draining = false;
	let failure: AppError | undefined;

	function committed(): void {
		written += 1;
		if (syncer === undefined) synced = written;
		else start(syncer);
	}
	function start(thread: Syncer): void {
		if (running || failure !== undefined || synced === written) return;
		running = true;
		const mark = written;
		thread.sync((error) => {
			running = false;
			if (error === undefined) {
				synced = mark;
				drain();
				free();
				start(thread);
			} else fail(error);
		});
	}
	function drain(): void {
		// A callback that asks for another one must not have it overtake those already waiting.
		if (draining) return;
		draining = true;
		for (let next = queue[0]; next !== undefined && next.mark <= synced; next = queue[0]) {
			queue.shift();
			guarded(next.run);
		}
		draining = false;
	}
	function free(): void {
		if (running || holds > 0) return;
		for (const listener of listeners) guarded(listener);
	}
	function fail(error: Error): void {
		const told = new AppError("storage-read-only", SYNC_FAILED_MESSAGE, { cause: error, params: { reason: "sync-failed" } });
		failure = told;
		deps.onFailure(error);
		for (const listener of toldOfFailure) guarded(listener);
		for (const { fail: tell } of queue.splice(0)) guarded(() => tell(told));
		free();
	}
	function guarded(run: () => void): void {
		try {
			run();
		} catch (error) {
			logger.error({ err: error }, "A callback after a commit failed");
		}
	}
	const settled = () => synced === written;
	function wait(...entries: Omit<Waiting, "mark">[]): void {
		queue.push(...entries.map((entry) => ({ mark: written, ...entry })));
		if (settled()) drain();
	}

	return {
		committed,
		after(runs) {
			const told = failure;
			if (told === undefined) wait(...runs.map(({ run, lost }) => ({ run, fail: (error: AppError) => lost?.(error) })));
			else for (const { lost } of runs) guarded(() => lost?.(told));
		},
		durable() {
			if (failure !== undefined) return Promise.reject(failure);
			return settled() ? Promise.resolve() : new Promise((resolve, reject) => wait({ run: resolve, fail: reject }));
		},
		busy: () => running || holds > 0,
		onFree(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		hold() {
			holds += 1;
			let held = true;
			return () => {
				if (!held) return;
				held = false;
				holds -= 1;
				free();
			};
		},
		hasFailed: () => failure !== undefined,
		onFailed: (listener) => void toldOfFailure.add(listener),
	};
}
