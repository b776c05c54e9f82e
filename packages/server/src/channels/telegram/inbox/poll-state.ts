/** Why polling fails, as a code, for readers in another language. */
export type PollProblem = "unreachable" | "conflict" | "poll-refused";
export type PollHealth = { state: "ok" } | { state: "degraded"; problem: PollProblem; message: string };

/** How polling stands. `lastAnswerAt` is when Telegram last handed out what it had, by the clock that only goes forward. */
export type PollState =
	| { state: "healthy"; lastAnswerAt: number }
	/** `conflictMs`: how long the next conflict is waited out. */
	| { state: "degraded"; lastAnswerAt: number; problem: PollProblem; message: string; conflictMs: number }
	/** Telegram refused the token: only another one, and so another process, can go on. */
	| { state: "token-refused" };

/** How one poll ended. */
export type PollResult =
	/** The updates are on disk; `isNew` when at least one was not known. */
	| { kind: "stored"; isNew: boolean }
	/** Telegram answered, the disk refused: the updates are not confirmed and come again. */
	| { kind: "not-stored" }
	| { kind: "unreachable"; message: string }
	| { kind: "refused"; code: number; description: string; retryAfterMs?: number };

export interface PollStep {
	poll: PollState;
	/** Before the next poll. */
	waitMs: number;
	/** A webhook takes every update away from a poller. */
	deleteWebhook: boolean;
}

/** The pause after a failure, and after a poll that returned empty without being held. */
export const RETRY_MS = 2_000;
const CONFLICT_FIRST_MS = 5_000;
const CONFLICT_MOST_MS = 60_000;

/** Polling has not begun: what comes first may have waited since whenever. */
export const POLL_START: PollState = { state: "healthy", lastAnswerAt: Number.NEGATIVE_INFINITY };

/** What follows a poll. Nothing but a refused token ends polling; no server can make it a busy loop. */
export function nextPoll(poll: PollState, { result, at, tookMs }: { result: PollResult; at: number; tookMs: number }): PollStep {
	if (poll.state === "token-refused") return { poll, waitMs: 0, deleteWebhook: false };
	const step = afterPoll(poll, result, at);
	const isNew = result.kind === "stored" && result.isNew;
	// A server that does not hold the poll, or repeats what it was told that we have.
	return isNew || tookMs >= RETRY_MS ? step : { ...step, waitMs: Math.max(step.waitMs, RETRY_MS) };
}

type Polling = Exclude<PollState, { state: "token-refused" }>;

function afterPoll(poll: Polling, result: PollResult, at: number): PollStep {
	switch (result.kind) {
		case "stored":
			return { poll: { state: "healthy", lastAnswerAt: at }, waitMs: 0, deleteWebhook: false };
		case "not-stored":
			return { poll: { state: "healthy", lastAnswerAt: at }, waitMs: RETRY_MS, deleteWebhook: false };
		case "unreachable":
			return degraded(poll, "unreachable", `Telegram cannot be reached (${result.message}). Trying again every few seconds.`, RETRY_MS);
		case "refused":
			if (result.code === 401) return { poll: { state: "token-refused" }, waitMs: 0, deleteWebhook: false };
			if (result.code === 409) return conflict(poll, result.description);
			return degraded(poll, "poll-refused", `Telegram refused a poll: ${result.description}`, result.retryAfterMs ?? RETRY_MS);
	}
}

function conflict(poll: Polling, description: string): PollStep {
	const waitMs = poll.state === "degraded" ? poll.conflictMs : CONFLICT_FIRST_MS;
	const message =
		"Another instance polls this bot token. Stop it, or give this one a bot of its own; until then messages go to whoever polls first.";
	const next = { state: "degraded", lastAnswerAt: poll.lastAnswerAt, problem: "conflict", message } as const;
	return {
		poll: { ...next, conflictMs: Math.min(waitMs * 2, CONFLICT_MOST_MS) },
		waitMs,
		deleteWebhook: /webhook/i.test(description),
	};
}

function degraded({ lastAnswerAt }: Polling, problem: PollProblem, message: string, waitMs: number): PollStep {
	return {
		poll: { state: "degraded", lastAnswerAt, problem, message, conflictMs: CONFLICT_FIRST_MS },
		waitMs,
		deleteWebhook: false,
	};
}
