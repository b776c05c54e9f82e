import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";

/** Between two attempts while the disk refuses. */
export const RETRY_MS = 1_000;

/** The store refused and changed nothing: the same write may succeed later. */
export function isStorageRefusal(error: unknown): boolean {
	return error instanceof AppError && (error.code === "storage-read-only" || error.code === "storage-busy");
}

/** Stores what people have already seen: retried while the disk refuses. A conversation that is gone ends it. */
export async function retryUntilStored(deps: { clock: Clock; logger: Logger }, write: () => void): Promise<void> {
	for (;;) {
		try {
			return write();
		} catch (error) {
			if (error instanceof AppError && error.code === "conversation-not-found") return;
			const later = isStorageRefusal(error);
			deps.logger.error({ err: error }, later ? "A write was refused; trying again" : "A write failed");
			if (!later) return;
		}
		await new Promise<void>((resolve) => deps.clock.after(RETRY_MS, resolve));
	}
}

/** Retries while the disk refuses; any other error is the caller's. `work` must be idempotent. */
export async function retryWhileRefused<T>(clock: Clock, work: () => T | Promise<T>, isOver = () => false): Promise<T> {
	for (;;) {
		try {
			return await work();
		} catch (error) {
			if (!isStorageRefusal(error) || isOver()) throw error;
		}
		await new Promise<void>((resolve) => clock.after(RETRY_MS, resolve));
	}
}
