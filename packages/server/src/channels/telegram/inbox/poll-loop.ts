import type { Update } from "grammy/types";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toAppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { BotClient, CallResult } from "../api/bot-client.ts";

/** How long Telegram may hold one poll. */
const POLL_SECONDS = 30;
/** A poll that is not answered this long after it should have been is cut; nothing but polls feeds this clock. */
const POLL_GRACE_MS = 15_000;
const RETRY_MS = 2_000;
const CONFLICT_FIRST_MS = 5_000;
const CONFLICT_MOST_MS = 60_000;

/** Why polling has trouble, for whoever says it in another language. */
export type PollProblem = "unreachable" | "conflict" | "poll-refused";
export type PollHealth = { state: "ok" } | { state: "degraded"; problem: PollProblem; message: string };

export interface PollLoop {
	start(): void;
	/** Ends at once; an open poll is cut. */
	stop(): Promise<void>;
}

/** Polls for ever: a conflict, an outage or a poll that hangs delays it, only a refused token or `stop` ends it. */
export function createPollLoop(deps: {
	client: BotClient;
	/** Where to go on; what is below it counts as confirmed. */
	offset: () => number;
	/** Commits the updates and says how many were new; only when it returned are they confirmed to Telegram. `waitedMs` is the longest that they can have waited for us. */
	accept: (updates: Update[], waitedMs: number) => number;
	onHealth: (health: PollHealth) => void;
	clock: Clock;
	logger: Logger;
}): PollLoop {
	const { client, clock, logger } = deps;
	const stopping = new AbortController();
	let running: Promise<void> | undefined;
	let conflictMs = CONFLICT_FIRST_MS;
	let degraded = false;
	let lastAnswerAt = Number.NEGATIVE_INFINITY;

	async function run(): Promise<void> {
		while (!stopping.signal.aborted) {
			const askedAt = clock.elapsed();
			const result = await pollOnce().catch(failed);
			if (stopping.signal.aborted) return;
			if (result.kind === "refused" && result.code === 401) return;
			const { waitMs, isNew } = handle(result);
			// A server that does not hold the poll, or repeats what it was told that we have, must not make this a busy loop.
			const isIdle = !isNew && clock.elapsed() - askedAt < RETRY_MS;
			if (waitMs > 0 || isIdle) await pause(Math.max(waitMs, isIdle ? RETRY_MS : 0));
		}
	}

	/** We could not even ask, for example because the storage did not say where to go on: as an outage, it passes. */
	function failed(error: unknown): CallResult<never> {
		logger.error({ err: error }, "Telegram could not be polled");
		return { kind: "unreachable", message: toAppError(error).message };
	}

	async function pollOnce(): Promise<CallResult<Update[]>> {
		const cut = new AbortController();
		const abort = () => cut.abort();
		const cancelWatchdog = clock.after(POLL_SECONDS * 1000 + POLL_GRACE_MS, abort);
		stopping.signal.addEventListener("abort", abort);
		try {
			// After trouble the first answer comes at once, or people would be told of it for as long as a quiet poll lasts.
			return await client.getUpdates({ offset: deps.offset(), timeoutSeconds: degraded ? 0 : POLL_SECONDS }, cut.signal);
		} finally {
			cancelWatchdog();
			stopping.signal.removeEventListener("abort", abort);
		}
	}

	/** Takes the result in; says how long to wait before the next poll, and whether it brought anything. */
	function handle(result: CallResult<Update[]>): { waitMs: number; isNew: boolean } {
		if (result.kind !== "refused" || result.code !== 409) conflictMs = CONFLICT_FIRST_MS;
		switch (result.kind) {
			case "ok":
				recovered();
				return accept(result.result);
			case "unreachable":
			case "unknown":
				fell("unreachable", `Telegram cannot be reached (${result.message}). Trying again every few seconds.`);
				return { waitMs: RETRY_MS, isNew: false };
			case "refused":
				return { waitMs: refused(result), isNew: false };
		}
	}

	function refused(result: Extract<CallResult<never>, { kind: "refused" }>): number {
		if (result.code === 409) {
			const waitMs = conflictMs;
			conflictMs = Math.min(conflictMs * 2, CONFLICT_MOST_MS);
			fell(
				"conflict",
				"Another instance polls this bot token. Stop it, or give this one a bot of its own; until then messages go to whoever polls first.",
			);
			if (/webhook/i.test(result.description)) void client.deleteWebhook();
			return waitMs;
		}
		fell("poll-refused", `Telegram refused a poll: ${result.description}`);
		return result.retryAfterMs ?? RETRY_MS;
	}

	function accept(updates: Update[]): { waitMs: number; isNew: boolean } {
		const waitedMs = clock.elapsed() - lastAnswerAt;
		lastAnswerAt = clock.elapsed();
		if (updates.length === 0) return { waitMs: 0, isNew: false };
		try {
			return { waitMs: 0, isNew: deps.accept(updates, waitedMs) > 0 };
		} catch (error) {
			// Not confirmed: Telegram hands the same updates out again.
			logger.error({ err: error }, "Telegram updates could not be stored");
			return { waitMs: RETRY_MS, isNew: false };
		}
	}

	function fell(problem: PollProblem, message: string): void {
		if (!degraded) logger.warn({}, message);
		degraded = true;
		deps.onHealth({ state: "degraded", problem, message });
	}
	function recovered(): void {
		if (degraded) logger.info({}, "Telegram answers again");
		degraded = false;
		deps.onHealth({ state: "ok" });
	}

	const pause = (ms: number) =>
		new Promise<void>((resolve) => {
			const end = () => {
				cancel();
				stopping.signal.removeEventListener("abort", end);
				resolve();
			};
			const cancel = clock.after(ms, end);
			stopping.signal.addEventListener("abort", end);
		});

	return {
		start() {
			running ??= run();
		},
		async stop() {
			stopping.abort();
			await running;
		},
	};
}
