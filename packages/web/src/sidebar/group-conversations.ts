import type { Conversation } from "@rightseat/protocol/model/conversation";

export type RecencyGroup = "pinned" | "today" | "yesterday" | "week" | "month" | "older";
const RECENCY_GROUPS: readonly RecencyGroup[] = ["pinned", "today", "yesterday", "week", "month", "older"];

export interface ConversationGroup {
	group: RecencyGroup;
	conversations: Conversation[];
}

/** Conversations by last activity in the reader's own calendar, newest first; pinned ones on top, empty groups left out. */
export function groupConversations(conversations: readonly Conversation[], now: Date): ConversationGroup[] {
	const sorted = conversations.toSorted((a, b) => Date.parse(b.updatedAt) - Date.parse(a.updatedAt) || (a.id < b.id ? 1 : -1));
	return RECENCY_GROUPS.map((group) => ({
		group,
		conversations: sorted.filter((conversation) => groupOf(conversation, now) === group),
	})).filter(({ conversations: members }) => members.length > 0);
}

function groupOf(conversation: Conversation, now: Date): RecencyGroup {
	if (conversation.pinned) return "pinned";
	const days = calendarDay(now) - calendarDay(new Date(conversation.updatedAt));
	if (days <= 0) return "today";
	if (days === 1) return "yesterday";
	if (days < 7) return "week";
	return days < 30 ? "month" : "older";
}

/** Counts calendar days, not spans of 24 hours: a night with a clock change has 23 or 25. */
function calendarDay(date: Date): number {
	return Math.round(Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()) / 86_400_000);
}
