import type { Clock } from "./clock.ts";
import type { Logger } from "./logger.ts";

/**
 * Wraps what a timer or an emitter calls. Nobody stands above it to catch what it throws: the process would end, and
 * every running turn with it, because of one connection, one terminal or one question.
 */
export function isolate<A extends unknown[]>(logger: Logger, what: string, work: (...args: A) => void): (...args: A) => void {
	return (...args) => {
		try {
			work(...args);
		} catch (error) {
			logger.error({ err: error, what }, "A callback failed; everything else goes on. Please report it with the log");
		}
	};
}

/** The same clock, on which no callback can end the process. */
export function isolateTimers(clock: Clock, logger: Logger): Clock {
	return {
		...clock,
		after: (delayMs, run) => clock.after(delayMs, isolate(logger, "timer", run)),
		soon: (run) => clock.soon(isolate(logger, "timer", run)),
	};
}
