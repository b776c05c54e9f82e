import type { CoreContext } from "./core-context.ts";
import { AppError } from "./errors.ts";

const RETRY_MS = 1_000;

/** Stores what people have already seen: while the disk refuses, it is tried again until it is kept. A conversation that is gone ends it. */
export async function whenStorable(core: Pick<CoreContext, "clock" | "logger">, write: () => void): Promise<void> {
	for (;;) {
		try {
			return write();
		} catch (error) {
			if (error instanceof AppError && error.code === "conversation-not-found") return;
			const later = error instanceof AppError && (error.code === "storage-read-only" || error.code === "storage-busy");
			core.logger.error({ err: error }, later ? "An end could not be stored; trying again" : "An end could not be stored");
			if (!later) return;
		}
		await new Promise<void>((resolve) => core.clock.after(RETRY_MS, resolve));
	}
}
