import type { ServerFrame, ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { ConversationSync } from "../conversation/conversation-sync.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import { errorText } from "../i18n/error-text.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { agentsAfter } from "./agent.ts";
import { forgetConversation } from "./forget-conversation.ts";
import type { PageState } from "./page-state.ts";
import type { Toasts } from "./toasts.ts";

/** Frames that are not events of a conversation's log. */
export function createReplyHandler(deps: {
	state: PageState;
	toast: Toasts["toast"];
	outbox: Pick<Outbox, "acked" | "refused" | "discard">;
	sync: Pick<ConversationSync, "unfollow">;
	cache: Pick<ViewCache, "forget">;
}): (frame: ServerFrame) => void {
	const { outbox, toast } = deps;
	const { get, set } = deps.state;
	function acked({ clientMessageId, messageId, delivery }: ServerFrameOf<"copilot:ack">["data"]): void {
		if (clientMessageId === undefined) return;
		// The server keeps it for a host that is away, and says so: from here it is gone.
		if (delivery === "outbox") outbox.discard(clientMessageId);
		else outbox.acked(clientMessageId, messageId);
	}
	return (frame) => {
		switch (frame.type) {
			case "copilot:ack":
				acked(frame.data);
				return;
			case "copilot:nack": {
				const { clientMessageId, retryable } = frame.data;
				const message = errorText(frame.data, get());
				if (clientMessageId === undefined) toast({ kind: "error", text: message });
				else outbox.refused(clientMessageId, { message, retryable });
				return;
			}
			case "conversation:created":
			case "conversation:updated":
				set({ conversations: { ...get().conversations, [frame.data.id]: frame.data.conversation } });
				return;
			case "conversation:deleted": {
				forgetConversation(frame.data.id, deps);
				if (get().openId === frame.data.id) set({ missingId: frame.data.id });
				return;
			}
			case "copilot:active-streams": {
				const active = new Set(frame.data.conversationIds);
				const conversations = { ...get().conversations };
				for (const [id, conversation] of Object.entries(conversations)) {
					if (active.has(id) && conversation.status !== "streaming") conversations[id] = { ...conversation, status: "streaming" };
				}
				set({ conversations });
				return;
			}
			case "bash:jobs":
				set({ jobs: frame.data.jobs });
				return;
			case "fleet:hosts":
				set({ hosts: frame.data.hosts });
				return;
			case "fleet:outbox":
				set({ waiting: frame.data.items });
				return;
			case "app:status":
				set({ appStatus: frame.data, ...agentsAfter(get(), frame.data.agents) });
				return;
			case "error":
				if (frame.data.code === "conversation-not-found") {
					const { openId } = get();
					const isOpen = openId !== undefined && (frame.data.conversationId ?? openId) === openId;
					if (frame.data.requestType === "copilot:subscribe" && isOpen && get().views[openId] === undefined) set({ missingId: openId });
					return;
				}
				toast({ kind: "error", text: errorText(frame.data, get()) });
				return;
			default:
				return;
		}
	};
}
