import type { MessageChanges } from "@rightseat/protocol/model/change";
import { cutText } from "@rightseat/protocol/text";
import type { TurnEnd } from "../active/active-conversations.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { InboxStore, UnseenEnd } from "../ports/inbox-store.ts";

/** Of an error; the whole of it stands in the conversation. */
const MAX_WHY_CHARS = 500;

/** How a turn ended, for whoever has not looked yet. Inside the commit that stores the end, so that a crash can neither lose nor invent it. */
export function keepUnseenEnd(
	inbox: Pick<InboxStore, "setEnd" | "clearEnd">,
	ended: {
		conversationId: ConversationId;
		messageId: MessageId;
		end: TurnEnd;
		changes?: MessageChanges | undefined;
		now: number;
	},
): void {
	const { conversationId, messageId, end, now } = ended;
	// Whoever stopped it was there.
	if (end.outcome === "aborted") inbox.clearEnd(conversationId);
	else inbox.setEnd({ conversationId, messageId, since: now, ...reasonOf(end, ended.changes?.files ?? 0) });
}

function reasonOf(end: TurnEnd, files: number): Pick<UnseenEnd, "kind" | "why" | "code" | "params"> {
	if (end.outcome === "completed") {
		if (files === 0) return { kind: "finished", why: "The answer is ready.", code: "turn-finished", params: {} };
		const params = { reason: "changes", files };
		return { kind: "finished", why: `The answer is ready. Files changed: ${files}.`, code: "turn-finished", params };
	}
	const {
		code,
		message,
		params = {},
	} = end.error ?? {
		code: end.outcome === "interrupted" ? "interrupted" : "internal",
		message: end.outcome === "interrupted" ? "The answer was interrupted." : "The answer failed.",
	};
	const kind = code === "agent-login" ? "login-needed" : end.outcome === "interrupted" ? "interrupted" : "failed";
	return { kind, why: cutText(message, MAX_WHY_CHARS), code, params };
}
