import type { Clock } from "../../core/clock.ts";
import type { ConversationId, MessageId } from "../../core/ids.ts";
import { conversationId as toConversationId, messageId as toMessageId } from "../../core/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberOf, textOf } from "./row.ts";

/** Prompts whose Telegram message is remembered, for replies and edits. */
export const MAX_SENT_PROMPTS = 5_000;

/** Which Telegram message became which prompt. */
export interface SentPrompts {
	add(prompt: { chatId: number; messageId: number; conversationId: ConversationId; promptId: MessageId }): void;
	/** The prompt that a person's message became. */
	find(chatId: number, messageId: number): { conversationId: ConversationId; promptId: MessageId } | undefined;
	/** The person's message in this chat that became the prompt. */
	messageOf(chatId: number, promptId: string): number | undefined;
	conversationIds(): string[];
	forgetConversation(id: string): void;
}

export function createSentPrompts(sql: SqlDatabase, clock: Clock): SentPrompts {
	const insert = sql.prepare(
		"INSERT OR IGNORE INTO telegram_prompts (chat_id, message_id, conversation_id, prompt_id, created_at) VALUES (?, ?, ?, ?, ?)",
	);
	const prune = sql.prepare(
		`DELETE FROM telegram_prompts WHERE position <= (SELECT position FROM telegram_prompts ORDER BY position DESC LIMIT 1 OFFSET ${MAX_SENT_PROMPTS})`,
	);
	const byMessage = sql.prepare("SELECT conversation_id, prompt_id FROM telegram_prompts WHERE chat_id = ? AND message_id = ?");
	const byPrompt = sql.prepare(
		"SELECT min(message_id) AS message_id FROM telegram_prompts WHERE chat_id = ? AND prompt_id = ? HAVING count(*) > 0",
	);
	let added = 0;
	return {
		add({ chatId, messageId, conversationId, promptId }) {
			insert.run(chatId, messageId, conversationId, promptId, clock.now());
			if (added++ % 100 === 0) prune.run();
		},
		find(chatId, messageId) {
			const row = byMessage.get(chatId, messageId);
			if (row === undefined) return undefined;
			return { conversationId: toConversationId(textOf(row, "conversation_id")), promptId: toMessageId(textOf(row, "prompt_id")) };
		},
		messageOf(chatId, promptId) {
			const row = byPrompt.get(chatId, promptId);
			return row === undefined ? undefined : numberOf(row, "message_id");
		},
		conversationIds: () =>
			sql
				.prepare("SELECT DISTINCT conversation_id FROM telegram_prompts")
				.all()
				.map((row) => textOf(row, "conversation_id")),
		forgetConversation: (id) => {
			sql.prepare("DELETE FROM telegram_prompts WHERE conversation_id = ?").run(id);
		},
	};
}
