import type { ConversationChanges } from "../active/conversation-changes.ts";
import { retryWhileRefused } from "../active/storage-retry.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { EventLog } from "../log/event-log.ts";
import type { Store } from "../ports/store.ts";

/** A reminder is shown when this share of the waiting time is over. */
const REMINDER_SHARE = 0.75;

/** What waiting for a person needs. */
export interface WaitDeps {
	log: Pick<EventLog, "append" | "flush">;
	store: Pick<Store, "durable">;
	changes: Pick<ConversationChanges, "updated">;
	clock: Clock;
	logger: Logger;
	askTimeoutMs: number;
}

/** Waits for the first of: an answer, the time limit if there is one, the end of the turn. Whatever comes first settles the request, once. */
export function waitForAnswer<End extends { outcome: "answered" | "expired" | "aborted" }>(
	deps: WaitDeps,
	options: {
		conversationId: ConversationId;
		signal: AbortSignal;
		/**
		 * How it ends when nobody answers, and what it is called in the reminder; one with a time of its own is not reminded of.
		 * Without it it waits for as long as the turn does.
		 */
		limit?: { timedOut: End } & ({ what: string } | { ms: number });
		open(settle: (end: End) => void): void;
		closed(end: End): void;
		aborted: End;
	},
): Promise<End> {
	const { conversationId, signal } = options;
	return new Promise((resolve) => {
		let settled = false;
		function settle(end: End): void {
			if (settled) return;
			settled = true;
			cancelReminder();
			cancelExpiry();
			signal.removeEventListener("abort", onAbort);
			try {
				options.closed(end);
				deps.changes.updated(conversationId);
			} catch (error) {
				// The agent waits for this: whatever fails here must not keep it waiting.
				deps.logger.error({ err: error, conversationId }, "The end of a question could not be stored");
			}
			// The agent acts on an answer, so it is durable first, like everything that the agent is given, also when the disk refuses for a while:
			// else a crash would leave a log in which nobody answered. An end without an answer allows nothing, and is all that is told of an answer that cannot be kept.
			if (end.outcome !== "answered") resolve(end);
			else
				void retryWhileRefused(deps.clock, keep, () => signal.aborted).then(
					() => resolve(end),
					() => resolve(options.aborted),
				);
		}
		async function keep(): Promise<void> {
			if (!deps.log.flush()) throw new AppError("storage-read-only", "The event log cannot be written.");
			await deps.store.durable();
		}
		function onAbort(): void {
			settle(options.aborted);
		}
		function remind(what: string): void {
			const restSeconds = Math.max(1, Math.round((deps.askTimeoutMs * (1 - REMINDER_SHARE)) / 1000));
			const message = `${what} still waits for you: ${restSeconds} s left.`;
			deps.log.append(conversationId, {
				type: "copilot:notice",
				data: { code: "ask-reminder", message, params: { seconds: restSeconds } },
			});
		}
		const { limit } = options;
		const never = () => undefined;
		const isReminded = limit !== undefined && "what" in limit;
		const cancelReminder = isReminded ? deps.clock.after(deps.askTimeoutMs * REMINDER_SHARE, () => remind(limit.what)) : never;
		const limitMs = limit !== undefined && "ms" in limit ? limit.ms : deps.askTimeoutMs;
		const cancelExpiry = limit === undefined ? never : deps.clock.after(limitMs, () => settle(limit.timedOut));
		options.open(settle);
		deps.changes.updated(conversationId);
		if (signal.aborted) onAbort();
		else signal.addEventListener("abort", onAbort, { once: true });
	});
}
