import type { ConversationChange } from "../../../core/active/conversation-changes.ts";
import type { OutFrame } from "./frames.ts";

/** The conversation whole, and its fields beside it for clients that read the frame's data as the conversation. */
export function conversationFrame(change: ConversationChange): OutFrame {
	if (change.kind === "deleted") return { type: "conversation:deleted", data: { conversationId: change.id, id: change.id } };
	const { conversation } = change;
	return { type: `conversation:${change.kind}`, data: { conversationId: conversation.id, conversation, ...conversation } };
}
