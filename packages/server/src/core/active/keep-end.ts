import { AppError } from "../kernel/errors.ts";
import type { CoreContext } from "./core-context.ts";
import { isStorageRefusal, RETRY_MS } from "./storage-retry.ts";

/** How often the whole of an end is tried when it is not the disk that refuses it. */
export const WHOLE_TRIES = 3;

export interface End {
	/** What ended, for the log. */
	what: Record<string, unknown>;
	/** Stores all of it, in one commit. */
	whole(): void;
	/** Stores that it ended and the least of how, in one commit. */
	least(): void;
	/** Nothing can be stored: whoever watches hears of the end all the same. */
	tell(): void;
}

/**
 * Stores the end of a turn or of a command. A disk that refuses is waited for; any other fault must not leave it running for ever in everyone's eyes, so
 * after some tries less is stored, and in the end it is only told. A conversation that is gone needs no end. Never rejects.
 */
export async function keepEnd(core: Pick<CoreContext, "clock" | "logger">, end: End): Promise<void> {
	let faults = 0;
	for (;;) {
		try {
			if (faults < WHOLE_TRIES) end.whole();
			else end.least();
			return;
		} catch (error) {
			if (error instanceof AppError && error.code === "conversation-not-found") return;
			core.logger.error({ err: error, ...end.what }, "An end could not be stored; trying again");
			if (!isStorageRefusal(error)) faults += 1;
			if (faults > WHOLE_TRIES) return tellOnly(core, end);
		}
		await new Promise<void>((resolve) => core.clock.after(RETRY_MS, resolve));
	}
}

function tellOnly(core: Pick<CoreContext, "logger">, end: End): void {
	try {
		end.tell();
	} catch (error) {
		core.logger.error({ err: error, ...end.what }, "An end could neither be stored nor told");
	}
}
