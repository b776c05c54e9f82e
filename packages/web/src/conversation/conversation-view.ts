import { type ConversationState, emptyState } from "@rightseat/protocol/fold/conversation";

/** What the page knows of one conversation: a snapshot with every later event folded in. `lastSeq` never travels without the text it belongs to. */
export interface ConversationView extends ConversationState {
	conversationId: string;
	/** Undefined until the first snapshot. */
	epoch: string | undefined;
	lastSeq: number;
	/** Asks for what is older than the first message; undefined when there is nothing older. */
	olderCursor: string | undefined;
	/** Its host is away: this is how it stood then. */
	copyOf?: string | undefined;
}

export function emptyView(conversationId: string): ConversationView {
	return { ...emptyState(), conversationId, epoch: undefined, lastSeq: 0, olderCursor: undefined };
}
