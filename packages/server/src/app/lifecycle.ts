import type { Clock } from "../core/kernel/clock.ts";
import type { Logger } from "../core/kernel/logger.ts";
import { settlesInTime } from "../core/kernel/with-timeout.ts";
import type { Lifecycle } from "../core/ports/lifecycle.ts";

/** Longest that one part may take to drain or to close; the others wait for it, and the whole end has its own limit (`shutdown.ts`). */
const PART_LIMIT_MS = 8_000;

/** The parts of the server as one. */
export interface Parts {
	/** Registers a part and returns it. It is closed with the others from now on. */
	add<P extends Lifecycle>(name: string, part: P): P;
	/** Starts them in the order in which they were added; the first that cannot start rejects. */
	start(): Promise<void>;
	/** Drains all, then closes all, last added first. One that fails or takes too long is logged and keeps none of the others open. */
	close(): Promise<void>;
}

export function createParts(deps: { clock: Clock; logger: Logger; limitMs?: number }): Parts {
	const { clock, logger, limitMs = PART_LIMIT_MS } = deps;
	const parts: { name: string; part: Lifecycle }[] = [];

	async function within(name: string, step: "drain" | "close", work: () => Promise<void> | void): Promise<void> {
		try {
			const isDone = await settlesInTime(clock, limitMs, Promise.resolve(work()));
			if (!isDone) logger.error({ part: name, step, limitMs }, "A part took too long to end; the others go on");
		} catch (error) {
			logger.error({ part: name, step, err: error }, "A part could not end in order");
		}
	}

	return {
		add(name, part) {
			parts.push({ name, part });
			return part;
		},
		async start() {
			for (const { part } of parts) await part.start?.();
		},
		async close() {
			const ending = parts.splice(0).toReversed();
			for (const { name, part } of ending) await within(name, "drain", () => part.drain?.());
			for (const { name, part } of ending) await within(name, "close", () => part.close());
		},
	};
}
