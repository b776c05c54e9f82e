import { isStorageRefusal } from "../core/active/storage-retry.ts";
import type { Logger } from "../core/kernel/logger.ts";

/** Longest a graceful end may take; supervisors and people give up soon after. */
const SHUTDOWN_LIMIT_MS = 14_000;

/** Signals this close together are one. */
export const DUPLICATE_SIGNAL_MS = 1_000;

export interface ShutdownDeps {
	close(): Promise<void>;
	logger: Logger;
	exit(code: number): void;
	/** Before an end without a close: what must not go on. Quick, and never throws. */
	abandon?(): void;
	/** Source of signals; the process itself. */
	signals: Pick<NodeJS.EventEmitter, "on">;
	limitMs?: number;
	/** Milliseconds, from any beginning. */
	now(): number;
}

/** Ends the program once and properly: the first signal closes everything and exits 0, a second one ends at once, so does a close that hangs. */
export function installShutdown(deps: ShutdownDeps): void {
	const { logger, exit, signals } = deps;
	let closing = false;
	let signalledAt = 0;

	const end = (reason: string, code: number) => {
		if (closing) {
			logger.warn({ reason }, "Second signal: ending at once");
			deps.abandon?.();
			exit(1);
			return;
		}
		closing = true;
		logger.info({ reason }, "Shutting down");
		const limit = setTimeout(() => {
			logger.error({}, "Shutting down took too long; ending at once. What was shown is saved");
			deps.abandon?.();
			exit(1);
		}, deps.limitMs ?? SHUTDOWN_LIMIT_MS);
		deps.close().then(
			() => {
				clearTimeout(limit);
				exit(code);
			},
			(error: unknown) => {
				clearTimeout(limit);
				logger.error({ err: error }, "Shutting down failed");
				exit(1);
			},
		);
	};

	const onSignal = (signal: string) => {
		// Ctrl+C under npm arrives twice: once for the whole group, once passed on by npm. They count as one.
		if (closing && deps.now() - signalledAt < DUPLICATE_SIGNAL_MS) return;
		signalledAt = deps.now();
		end(signal, 0);
	};
	for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) signals.on(signal, () => onSignal(signal));
	// After one of these the state of the program is unknown: say so, save what can be saved, and let the supervisor start a fresh one.
	const crash = (error: unknown) => {
		logger.fatal({ err: error }, "Unexpected error; Rightseat ends. Please report it with the log");
		if (!closing) end("crash", 1);
	};
	signals.on("uncaughtException", crash);
	signals.on("unhandledRejection", (error) => {
		// The store refused a write and nothing changed: a full disk must not take the server with it.
		if (isStorageRefusal(error)) logger.error({ err: error }, "Something could not be stored");
		else crash(error);
	});
}
