import type { Update } from "grammy/types";
import type { Clock } from "../../../core/kernel/clock.ts";
import { toAppError } from "../../../core/kernel/errors.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { BotClient, CallResult } from "../api/bot-client.ts";
import { nextPoll, POLL_START, type PollHealth, type PollResult, type PollState } from "./poll-state.ts";

/** How long Telegram may hold one poll. */
const POLL_SECONDS = 30;
/** A poll that is not answered this long after it should have been is cut; nothing but polls feeds this clock. */
const POLL_GRACE_MS = 15_000;

export interface PollLoop {
	start(): void;
	/** Ends at once; an open poll is cut. */
	stop(): Promise<void>;
}

/** Polls for ever: a conflict, an outage or a poll that hangs delays it, only a refused token or `stop` ends it. */
export function createPollLoop(deps: {
	client: Pick<BotClient, "getUpdates" | "deleteWebhook">;
	/** Where to go on; what is below it counts as confirmed. */
	offset: () => number;
	/** Commits the updates and says how many were new; only when it returned are they confirmed to Telegram. `waitedMs` is the longest that they can have waited for us. */
	accept: (updates: Update[], waitedMs: number) => number;
	/** Awaited before a poll, which confirms what came before it. */
	confirm?: (() => Promise<void>) | undefined;
	onHealth: (health: PollHealth) => void;
	clock: Clock;
	logger: Logger;
}): PollLoop {
	const { client, clock, logger } = deps;
	const stopping = new AbortController();
	let running: Promise<void> | undefined;
	let poll: PollState = POLL_START;

	async function run(): Promise<void> {
		while (!stopping.signal.aborted && poll.state !== "token-refused") {
			const askedAt = clock.elapsed();
			const answer = await ask().catch(failed);
			if (stopping.signal.aborted) return;
			const at = clock.elapsed();
			const step = nextPoll(poll, { result: take(answer, at), at, tookMs: at - askedAt });
			report(poll, step.poll);
			poll = step.poll;
			if (step.deleteWebhook) void client.deleteWebhook();
			if (step.waitMs > 0) await pause(step.waitMs);
		}
	}

	async function ask(): Promise<CallResult<Update[]>> {
		if (deps.confirm !== undefined) await deps.confirm();
		const cut = new AbortController();
		const abort = () => cut.abort();
		const cancelWatchdog = clock.after(POLL_SECONDS * 1000 + POLL_GRACE_MS, abort);
		stopping.signal.addEventListener("abort", abort);
		// After trouble the first answer comes at once, or people would be told of it for as long as a quiet poll lasts.
		const timeoutSeconds = poll.state === "degraded" ? 0 : POLL_SECONDS;
		try {
			return await client.getUpdates({ offset: deps.offset(), timeoutSeconds }, cut.signal);
		} finally {
			cancelWatchdog();
			stopping.signal.removeEventListener("abort", abort);
		}
	}

	/** We could not even ask, for example because the storage did not say where to go on: as an outage, it passes. */
	function failed(error: unknown): CallResult<never> {
		logger.error({ err: error }, "Telegram could not be polled");
		return { kind: "unreachable", message: toAppError(error).message };
	}

	function take(answer: CallResult<Update[]>, at: number): PollResult {
		if (answer.kind === "refused") return answer;
		if (answer.kind !== "ok") return { kind: "unreachable", message: answer.message };
		if (answer.result.length === 0) return { kind: "stored", isNew: false };
		try {
			const lastAnswerAt = poll.state === "token-refused" ? at : poll.lastAnswerAt;
			return { kind: "stored", isNew: deps.accept(answer.result, at - lastAnswerAt) > 0 };
		} catch (error) {
			// Not confirmed: Telegram hands the same updates out again.
			logger.error({ err: error }, "Telegram updates could not be stored");
			return { kind: "not-stored" };
		}
	}

	function report(before: PollState, now: PollState): void {
		if (now.state === "token-refused") return;
		if (now.state === "degraded") {
			if (before.state !== "degraded") logger.warn({}, now.message);
			deps.onHealth({ state: "degraded", problem: now.problem, message: now.message });
			return;
		}
		if (before.state === "degraded") logger.info({}, "Telegram answers again");
		deps.onHealth({ state: "ok" });
	}

	function pause(ms: number): Promise<void> {
		return new Promise((resolve) => {
			function end(): void {
				cancel();
				stopping.signal.removeEventListener("abort", end);
				resolve();
			}
			const cancel = clock.after(ms, end);
			stopping.signal.addEventListener("abort", end);
		});
	}

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
