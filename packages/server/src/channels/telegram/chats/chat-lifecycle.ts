import { splitRemoteId } from "@rightseat/protocol/fleet/ids";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { Buttons } from "../commands/buttons.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Access } from "./access.ts";
import type { ChatBindings } from "./chat-bindings.ts";
import { onDeleted } from "./on-deleted.ts";
import type { SentPrompts } from "./sent-prompts.ts";

/** What happens to everything that is kept about a chat or a conversation when that moves, loses its right to read, or is deleted. */
export interface ChatLifecycle {
	/** Telegram gave a group another id. */
	moveChat(from: number, to: number): void;
	/** Drops every chat that may no longer read, with all that waits for it. */
	shutOut(): void;
	/** A conversation may have been deleted while Telegram was off. */
	forgetDeleted(): void;
	close(): void;
}

export function createChatLifecycle(deps: {
	sql: Pick<SqlDatabase, "transaction">;
	conversations: Pick<EveryConversations, "find" | "onChange" | "pending">;
	access: Pick<Access, "mayRead" | "moved">;
	bindings: Pick<ChatBindings, "moveChat" | "showAgain" | "shutOut">;
	outbox: Pick<Outbox, "moveChat" | "shutOut" | "conversationIds" | "forgetConversation">;
	buttons: Pick<Buttons, "moveChat" | "conversationIds" | "forgetConversation">;
	prompts: Pick<SentPrompts, "conversationIds" | "forgetConversation">;
}): ChatLifecycle {
	const { sql, conversations, access, bindings, outbox, buttons, prompts } = deps;
	const aboutConversations = [outbox, prompts, buttons];

	function forgetConversation(id: string): void {
		sql.transaction(() => {
			for (const kept of aboutConversations) kept.forgetConversation(id);
		});
	}
	const known = () => new Set(aboutConversations.flatMap((kept) => kept.conversationIds()));
	const isKnown = (id: string) => splitRemoteId(id) === undefined || known().has(id);
	const offChange = onDeleted(conversations, isKnown, forgetConversation);

	return {
		moveChat(from, to) {
			if (!access.mayRead(from)) return;
			sql.transaction(() => {
				access.moved(from, to);
				outbox.moveChat(from, to);
				buttons.moveChat(from, to);
				bindings.moveChat(from, to);
			});
			bindings.showAgain(to);
		},
		shutOut: () =>
			sql.transaction(() => {
				bindings.shutOut();
				outbox.shutOut();
			}),
		forgetDeleted() {
			// Whether one of another host is still there is not known before that has said so.
			for (const id of known())
				if (splitRemoteId(id) === undefined && conversations.find(toConversationId(id)) === undefined) forgetConversation(id);
		},
		close: offChange,
	};
}
