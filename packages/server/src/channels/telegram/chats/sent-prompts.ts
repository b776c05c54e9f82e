import * as z from "zod/mini";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ConversationId, MessageId } from "../../../core/kernel/ids.ts";
import { conversationId as toConversationId, messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../../core/ports/sql-row.ts";
import type { Piece } from "../inbox/prompt-text.ts";

/** Prompts whose Telegram message is remembered, for replies and edits. */
export const MAX_SENT_PROMPTS = 5_000;

const pieceSchema = z.object({
	text: z.string(),
	transcript: z.optional(z.string()),
	forwardedFrom: z.optional(z.string()),
	quoted: z.optional(z.string()),
	hasFiles: z.optional(z.literal(true)),
});

/** Which Telegram message became which prompt. */
export interface SentPrompts {
	add(prompt: { chatId: number; messageId: number; conversationId: ConversationId; promptId: MessageId }): void;
	/** Keeps what each message added to a prompt that waits. */
	keepPieces(chatId: number, pieces: { messageId: number; piece: Piece }[]): void;
	/** What the messages of a prompt that waits added to it, in order. Empty for a prompt that is the text of one message. */
	pieces(promptId: string): { messageId: number; piece: Piece }[];
	/** The prompt waits no more: its pieces are not needed. */
	forgetPieces(promptId: string): void;
	/** The prompt that a person's message became. */
	find(chatId: number, messageId: number): { conversationId: ConversationId; promptId: MessageId } | undefined;
	/** The person's message in this chat that became the prompt. */
	messageOf(chatId: number, promptId: string): number | undefined;
	/** Conversations that were spoken to from this chat, newest first. */
	spokenToIn(chatId: number): ConversationId[];
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
	const setPiece = sql.prepare("UPDATE telegram_prompts SET piece = ? WHERE chat_id = ? AND message_id = ?");
	const withPieces = sql.prepare(
		"SELECT message_id, piece FROM telegram_prompts WHERE prompt_id = ? AND piece IS NOT NULL ORDER BY position",
	);
	const dropPieces = sql.prepare("UPDATE telegram_prompts SET piece = NULL WHERE prompt_id = ? AND piece IS NOT NULL");
	let added = 0;
	return {
		add({ chatId, messageId, conversationId, promptId }) {
			insert.run(chatId, messageId, conversationId, promptId, clock.now());
			if (added++ % 100 === 0) prune.run();
		},
		keepPieces(chatId, pieces) {
			for (const { messageId, piece } of pieces) setPiece.run(JSON.stringify(piece), chatId, messageId);
		},
		pieces: (promptId) =>
			withPieces.all(promptId).map((row) => ({
				messageId: numberColumn(row, "message_id"),
				piece: pieceSchema.parse(JSON.parse(textColumn(row, "piece"))),
			})),
		forgetPieces: (promptId) => {
			dropPieces.run(promptId);
		},
		find(chatId, messageId) {
			const row = byMessage.get(chatId, messageId);
			if (row === undefined) return undefined;
			return { conversationId: toConversationId(textColumn(row, "conversation_id")), promptId: toMessageId(textColumn(row, "prompt_id")) };
		},
		messageOf(chatId, promptId) {
			const row = byPrompt.get(chatId, promptId);
			return row === undefined ? undefined : numberColumn(row, "message_id");
		},
		spokenToIn: (chatId) =>
			sql
				.prepare(
					"SELECT conversation_id FROM telegram_prompts WHERE chat_id = ? GROUP BY conversation_id ORDER BY max(position) DESC LIMIT 100",
				)
				.all(chatId)
				.map((row) => toConversationId(textColumn(row, "conversation_id"))),
		conversationIds: () =>
			sql
				.prepare("SELECT DISTINCT conversation_id FROM telegram_prompts")
				.all()
				.map((row) => textColumn(row, "conversation_id")),
		forgetConversation: (id) => {
			sql.prepare("DELETE FROM telegram_prompts WHERE conversation_id = ?").run(id);
		},
	};
}
