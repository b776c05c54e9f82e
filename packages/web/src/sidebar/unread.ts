import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Visit } from "../state/app-state.ts";

/** A conversation that this device never opened counts as read: a new device must not begin with a wall of dots. */
export function isUnread(conversation: Conversation, visits: Readonly<Record<string, Visit>>, openId: string | undefined): boolean {
	const visit = visits[conversation.id];
	return visit !== undefined && conversation.id !== openId && conversation.headSeq > visit.seq;
}

export type LiveState = "asks" | "running" | "failed" | "unread" | "quiet";

/** The one thing that the list says about a conversation; what needs a person comes first. */
export function liveState(conversation: Conversation, visits: Readonly<Record<string, Visit>>, openId: string | undefined): LiveState {
	if (conversation.asking) return "asks";
	if (conversation.status === "streaming") return "running";
	const unread = isUnread(conversation, visits, openId);
	if (conversation.status === "error" && (unread || visits[conversation.id] === undefined)) return "failed";
	return unread ? "unread" : "quiet";
}
