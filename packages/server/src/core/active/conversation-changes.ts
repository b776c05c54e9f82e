import type { Conversation } from "@rightseat/protocol/model/conversation";
import { isoTime } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import { type ActiveConversations, waitingIn } from "./active-conversations.ts";
import type { Doubts } from "./doubts.ts";

/** What happened to a conversation as an item of everybody's list. */
export type ConversationChange = { kind: "created" | "updated"; conversation: Conversation } | { kind: "deleted"; id: ConversationId };

/** Tells every connection that a conversation is there, looks different or is gone; when that is durable. */
export interface ConversationChanges {
	/** The conversation as everybody sees it now. */
	view(row: ConversationRow): Conversation;
	created(row: ConversationRow): void;
	/** One that is gone needs no telling. */
	updated(id: ConversationId): void;
	deleted(id: ConversationId): void;
	onChange(listener: (change: ConversationChange) => void): () => void;
}

/** Listeners are called in order of registration; one that throws costs the others nothing. */
export function createConversationChanges(deps: {
	store: Pick<Store, "conversations" | "afterCommit">;
	active: Pick<ActiveConversations, "find">;
	doubts: Pick<Doubts, "add">;
	logger: Logger;
}): ConversationChanges {
	const listeners = new Set<(change: ConversationChange) => void>();

	function tell(id: ConversationId, change: ConversationChange): void {
		const toldNow = () => {
			for (const listener of listeners) {
				try {
					listener(change);
				} catch (error) {
					// One broken listener must not cost the others the change.
					deps.logger.error({ err: error }, "A listener for conversations threw");
				}
			}
		};
		deps.store.afterCommit(toldNow, () => deps.doubts.add(id));
	}
	function view(row: ConversationRow): Conversation {
		const now = deps.active.find(row.id);
		const { id, title, agent, model, mode, effort, cwd, sdkSessionId, pinned, archived, permissions, budget, epoch, headSeq, forkedFrom } =
			row;
		const forks = deps.store.conversations.countForks(row.id);
		return {
			...{ id, title, agent, model, mode, effort, cwd, sdkSessionId, pinned, archived, permissions, budget, epoch, headSeq },
			...(row.agentProfile === "" ? {} : { agentProfile: row.agentProfile }),
			...(forkedFrom === null ? {} : { forkedFrom: { conversationId: forkedFrom, messageId: row.forkedAt } }),
			...(forks === 0 ? {} : { forks }),
			...(Object.keys(row.mcp).length === 0 ? {} : { mcp: row.mcp }),
			status: now?.turn === undefined && now?.left?.turn === undefined ? row.status : "streaming",
			asking: now !== undefined && waitingIn(now).length > 0,
			createdAt: isoTime(row.createdAt),
			updatedAt: isoTime(row.updatedAt),
		};
	}

	return {
		view,
		created: (row) => tell(row.id, { kind: "created", conversation: view(row) }),
		updated(id) {
			const row = deps.store.conversations.find(id);
			if (row !== undefined) tell(id, { kind: "updated", conversation: view(row) });
		},
		deleted: (id) => tell(id, { kind: "deleted", id }),
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
