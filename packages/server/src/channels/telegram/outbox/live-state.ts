import { assertNever } from "../../../core/kernel/errors.ts";
import type { MessageContent } from "../api/bot-client.ts";

/** One message that is sent once and edited to the newest content; each state holds only what is true in it. */
export type LiveState =
	/** Nothing was to be shown yet. */
	| { state: "unsent" }
	/** Telegram has not confirmed it. `departed` is what it was asked to send last; the wanted content may be newer. */
	| { state: "sending"; wanted: MessageContent; departed: MessageContent | undefined; isFinal: boolean; isReplacement: boolean }
	| { state: "shown"; messageId: number; wanted: MessageContent; shown: MessageContent; isFinal: boolean; isReplacement: boolean }
	/** Sent or not: a second one could double it. */
	| { state: "lost" }
	| { state: "removed" };

export type LiveInput =
	| { kind: "set"; content: MessageContent; urgent: boolean }
	/** The final content: nothing changes it after this. */
	| { kind: "finish"; content: MessageContent }
	| { kind: "remove" }
	/** The send goes out now, with this; more than once if Telegram orders a wait. */
	| { kind: "departed"; content: MessageContent }
	/** Telegram did not take it; it goes out once more. */
	| { kind: "turned-back" }
	| { kind: "sent"; messageId: number }
	| { kind: "send-failed" }
	| { kind: "edited"; content: MessageContent }
	/** Telegram will not change it any more. */
	| { kind: "edit-refused"; messageId: number }
	/** It is not in the chat any more, as we wanted. */
	| { kind: "deleted"; messageId: number }
	/** Somebody deleted the message. */
	| { kind: "gone"; messageId: number };

/** For the next process: a message to tidy up as its options say, one to delete, one that must say this in the end, or one to leave alone. */
export type LiveNote = { kind: "add" | "delete" | "forget"; messageId: number } | { kind: "finish"; messageId: number; text: string };
export type LiveCall =
	| { kind: "send" }
	| { kind: "drop-send" }
	| { kind: "edit"; messageId: number; urgent: boolean }
	| { kind: "delete"; messageId: number };

/** Notes are written before the state changes: when the disk refuses one, the same input is applied again. */
export interface LiveStep {
	state: LiveState;
	notes: LiveNote[];
	calls: LiveCall[];
}

/** What becomes of a live message. When every call succeeds in the end, the last content stands in the chat exactly once; it never stands there twice. */
export function nextLive(live: LiveState, input: LiveInput): LiveStep {
	switch (input.kind) {
		case "set":
			return want(live, input.content, { isFinal: false, urgent: input.urgent });
		case "finish":
			return want(live, input.content, { isFinal: true, urgent: true });
		case "remove":
			return remove(live);
		case "departed":
			return stay(live.state === "sending" ? { ...live, departed: input.content } : live);
		case "turned-back":
			return stay(live.state === "sending" ? { ...live, departed: undefined } : live);
		case "sent":
			return sent(live, input.messageId);
		case "send-failed":
			return stay(live.state === "sending" ? { state: "lost" } : live);
		case "edited":
			return edited(live, input.content);
		case "edit-refused":
			return live.state === "shown" && live.isFinal
				? { ...stay(live), notes: [{ kind: "forget", messageId: input.messageId }] }
				: stay(live);
		case "deleted":
			return { ...stay(live), notes: [{ kind: "forget", messageId: input.messageId }] };
		case "gone":
			return gone(live, input.messageId);
		default:
			return assertNever(input);
	}
}

/** Whether a person may have it before their eyes: not while it waits for its turn, for the disk, or for Telegram to take it. */
export function mayBeSeen(live: LiveState): boolean {
	return live.state === "shown" || live.state === "lost" || (live.state === "sending" && live.departed !== undefined);
}

/** What an edit of this message has to say; undefined when the chat shows it already, or shows another message. */
export function pendingEdit(live: LiveState, messageId: number): MessageContent | undefined {
	if (live.state !== "shown" || live.messageId !== messageId || isSame(live.wanted, live.shown)) return undefined;
	return live.wanted;
}

function want(live: LiveState, wanted: MessageContent, { isFinal, urgent }: { isFinal: boolean; urgent: boolean }): LiveStep {
	if (live.state === "unsent")
		return {
			state: { state: "sending", wanted, departed: undefined, isFinal, isReplacement: false },
			notes: [],
			calls: [{ kind: "send" }],
		};
	if (live.state === "lost" || live.state === "removed" || live.isFinal) return stay(live);
	if (live.state === "sending") return stay({ ...live, wanted, isFinal });
	const { messageId } = live;
	return {
		state: { ...live, wanted, isFinal },
		notes: isFinal ? [{ kind: "finish", messageId, text: wanted.text }] : [],
		// The final one even if it looks the same: an edit to something else may be on its way.
		calls: isFinal || !isSame(wanted, live.shown) ? [{ kind: "edit", messageId, urgent }] : [],
	};
}

function remove(live: LiveState): LiveStep {
	const state: LiveState = { state: "removed" };
	if (live.state === "sending") return { state, notes: [], calls: [{ kind: "drop-send" }] };
	return live.state === "shown" ? takeDown(live.messageId) : stay(state);
}

function sent(live: LiveState, messageId: number): LiveStep {
	// It was removed while its send was on the way.
	if (live.state === "removed") return takeDown(messageId);
	if (live.state !== "sending") return stay(live);
	const { wanted, departed, isFinal, isReplacement } = live;
	const next = settleShown({ state: "shown", messageId, wanted, shown: departed ?? wanted, isFinal, isReplacement });
	if (!isFinal) return { ...next, notes: [{ kind: "add", messageId }] };
	return next.calls.length === 0 ? next : { ...next, notes: [{ kind: "finish", messageId, text: wanted.text }] };
}

function edited(live: LiveState, content: MessageContent): LiveStep {
	if (live.state !== "shown") return stay(live);
	const next = settleShown({ ...live, shown: content });
	// Only now nothing is left to do for whoever comes next.
	return live.isFinal && next.calls.length === 0 ? { ...next, notes: [{ kind: "forget", messageId: live.messageId }] } : next;
}

function gone(live: LiveState, messageId: number): LiveStep {
	// One fresh message, then no more: whoever deletes that as well does not want it.
	if (live.state !== "shown" || live.messageId !== messageId) return stay(live);
	if (live.isReplacement) return { ...stay(live), notes: [{ kind: "forget", messageId }] };
	return {
		state: { state: "sending", wanted: live.wanted, departed: undefined, isFinal: live.isFinal, isReplacement: true },
		notes: [{ kind: "forget", messageId }],
		calls: [{ kind: "send" }],
	};
}

/** What was wanted while a call was on its way goes out next. */
function settleShown(live: Extract<LiveState, { state: "shown" }>): LiveStep {
	if (isSame(live.wanted, live.shown)) return stay(live);
	return { state: live, notes: [], calls: [{ kind: "edit", messageId: live.messageId, urgent: live.isFinal }] };
}

function takeDown(messageId: number): LiveStep {
	return { state: { state: "removed" }, notes: [{ kind: "delete", messageId }], calls: [{ kind: "delete", messageId }] };
}

const stay = (state: LiveState): LiveStep => ({ state, notes: [], calls: [] });
const isSame = (a: MessageContent, b: MessageContent) => JSON.stringify(a) === JSON.stringify(b);
