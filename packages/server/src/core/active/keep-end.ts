import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { Logger } from "../kernel/logger.ts";
import { isStorageRefusal, RETRY_MS } from "./storage-retry.ts";

/** Attempts at storing the whole end when it is not the disk that refuses it. */
export const WHOLE_TRIES = 3;

/** The end of a turn or a command, in decreasing order of how much of it is kept. */
export interface End {
	/** What ended, for the log. */
	what: Record<string, unknown>;
	/** Stores all of it, in one commit. */
	whole(): void;
	/** Stores that it ended and the least of how, in one commit. */
	least(): void;
	/** Nothing can be stored: readers still see the end. */
	tell(): void;
}

/**
 * Stores the end of a turn or of a command. A disk that refuses is retried until it does not; any other fault must not leave it running for ever on every
 * screen, so after some attempts less is stored, and at last it is only announced. A conversation that is gone needs no end. Never rejects.
 */
export async function keepEnd(deps: { clock: Clock; logger: Logger }, end: End): Promise<void> {
	let faults = 0;
	for (;;) {
		try {
			if (faults < WHOLE_TRIES) end.whole();
			else end.least();
			return;
		} catch (error) {
			if (error instanceof AppError && error.code === "conversation-not-found") return;
			deps.logger.error({ err: error, ...end.what }, "An end could not be stored; trying again");
			if (!isStorageRefusal(error)) faults += 1;
			if (faults > WHOLE_TRIES) return tellOnly(deps.logger, end);
		}
		await new Promise<void>((resolve) => deps.clock.after(RETRY_MS, resolve));
	}
}

function tellOnly(logger: Logger, end: End): void {
	try {
		end.tell();
	} catch (error) {
		logger.error({ err: error, ...end.what }, "An end could neither be stored nor told");
	}
}
