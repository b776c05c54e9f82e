import type { Params } from "@rightseat/protocol/model/params";
import type { ConversationId, MessageId } from "../kernel/ids.ts";

/** How the last turn of a conversation ended, while nobody has looked at that. */
export interface UnseenEnd {
	conversationId: ConversationId;
	/** The stored answer. */
	messageId: MessageId;
	kind: "failed" | "interrupted" | "finished" | "login-needed";
	since: number;
	why: string;
	code: string;
	params: Params;
}

/** What a person said about an item: that they have seen it, or that they want to hear of it later. */
export interface InboxMark {
	itemId: string;
	seen: boolean;
	/** Milliseconds since 1970; 0: not put off. */
	snoozedUntil: number;
}

/** What the inbox keeps. Everything else in it is derived from what waits at the moment. */
export interface InboxStore {
	/** At most one per conversation: the newest end counts. */
	setEnd(end: UnseenEnd): void;
	findEnd(conversationId: ConversationId): UnseenEnd | undefined;
	clearEnd(conversationId: ConversationId): void;
	/** Of conversations that are not archived, the oldest first. */
	ends(limit: number): (UnseenEnd & { title: string; agent: string })[];
	marks(): InboxMark[];
	setMark(mark: InboxMark): void;
	removeMark(itemId: string): void;
}
