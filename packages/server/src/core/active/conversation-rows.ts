import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { ConversationRow, ConversationStore } from "../ports/store.ts";
import type { Closing } from "./closing.ts";
import type { Doubts } from "./doubts.ts";

/** Conversations by id, for callers that cannot continue without one. */
export interface ConversationRows {
	/** Throws `conversation-not-found`, and `storage-read-only` while it is in doubt what is stored of it. */
	get(id: ConversationId): ConversationRow;
	/** For callers that add something: throws `conversation-closing` and `shutting-down` besides. */
	getOpen(id: ConversationId): ConversationRow;
}

/** Reads through to the store: nothing is cached. */
export function createConversationRows(deps: {
	conversations: Pick<ConversationStore, "find">;
	closing: Pick<Closing, "check">;
	doubts: Pick<Doubts, "check">;
}): ConversationRows {
	function get(id: ConversationId): ConversationRow {
		deps.doubts.check(id);
		const found = deps.conversations.find(id);
		if (found === undefined) throw new AppError("conversation-not-found", "There is no such conversation. It may have been deleted.");
		return found;
	}
	return {
		get,
		getOpen(id) {
			const found = get(id);
			deps.closing.check(id);
			return found;
		},
	};
}
