import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { ConversationSync } from "../conversation/conversation-sync.ts";
import { errorText } from "../i18n/error-text.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Shared } from "./controller.ts";

/** Frames that are not events of a conversation's log. */
export function createReplyHandler({ shared, outbox, sync }: { shared: Shared; outbox: Outbox; sync: ConversationSync }) {
	const { get, set, toast } = shared;
	return (frame: ServerFrame): void => {
		switch (frame.type) {
			case "copilot:ack":
				if (frame.data.clientMessageId !== undefined) outbox.acked(frame.data.clientMessageId, frame.data.messageId);
				return;
			case "copilot:nack": {
				const { clientMessageId, retryable } = frame.data;
				const message = errorText(frame.data, get().language);
				if (clientMessageId === undefined) toast({ kind: "error", text: message });
				else outbox.refused(clientMessageId, { message, retryable });
				return;
			}
			case "conversation:created":
			case "conversation:updated":
				set({ conversations: { ...get().conversations, [frame.data.id]: frame.data.conversation } });
				return;
			case "conversation:deleted": {
				const { [frame.data.id]: _gone, ...conversations } = get().conversations;
				set({ conversations });
				sync.unfollow(frame.data.id);
				void shared.options.cache.forget(frame.data.id);
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
			case "app:status":
				set({ appStatus: frame.data });
				return;
			case "error":
				if (frame.data.code === "conversation-not-found") {
					const { openId } = get();
					const isOpen = openId !== undefined && (frame.data.conversationId ?? openId) === openId;
					if (frame.data.requestType === "copilot:subscribe" && isOpen && get().views[openId] === undefined) set({ missingId: openId });
					return;
				}
				toast({ kind: "error", text: errorText(frame.data, get().language) });
				return;
			default:
				return;
		}
	};
}
