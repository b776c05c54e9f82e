import type { CoreContext } from "../active/core-context.ts";
import type { ConversationId } from "../kernel/ids.ts";

/** A reminder is shown when this share of the waiting time is over. */
const REMINDER_SHARE = 0.75;

/** Waits for the first of: an answer, the time limit, the end of the turn. Whatever comes first settles the request, once. */
export function waitForAnswer<End extends { outcome: "answered" | "expired" | "aborted" }>(
	core: CoreContext,
	options: {
		conversationId: ConversationId;
		signal: AbortSignal;
		what: string;
		open(settle: (end: End) => void): void;
		closed(end: End): void;
		timedOut: End;
		aborted: End;
	},
): Promise<End> {
	return new Promise((resolve) => {
		let settled = false;
		const settle = (end: End) => {
			if (settled) return;
			settled = true;
			cancelReminder();
			cancelExpiry();
			options.signal.removeEventListener("abort", onAbort);
			try {
				options.closed(end);
				core.changed(options.conversationId);
			} catch (error) {
				// Whoever asked waits for this: a disk that refuses to note the end must not keep it from them.
				core.logger.error({ err: error, conversationId: options.conversationId }, "The end of a question could not be written down");
			}
			const tell = () => resolve(end);
			// The agent acts on an answer, so it is durable first, like everything that the agent is given. An end without one allows nothing.
			if (end.outcome !== "answered" || !core.log.flush()) tell();
			else core.store.durable().then(tell, tell);
		};
		const onAbort = () => settle(options.aborted);
		const limitMs = core.config.askTimeoutMs;
		const cancelReminder = core.clock.after(limitMs * REMINDER_SHARE, () => {
			const restSeconds = Math.max(1, Math.round((limitMs * (1 - REMINDER_SHARE)) / 1000));
			const message = `${options.what} still waits for you: ${restSeconds} s left.`;
			core.log.append(options.conversationId, {
				type: "copilot:notice",
				data: { code: "ask-reminder", message, params: { seconds: restSeconds } },
			});
		});
		const cancelExpiry = core.clock.after(limitMs, () => settle(options.timedOut));
		options.open(settle);
		core.changed(options.conversationId);
		if (options.signal.aborted) onAbort();
		else options.signal.addEventListener("abort", onAbort, { once: true });
	});
}
