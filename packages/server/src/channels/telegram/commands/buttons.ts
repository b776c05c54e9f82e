import type { InlineKeyboardButton } from "grammy/types";
import * as z from "zod/mini";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { IdSource } from "../../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../../core/ports/sql-row.ts";

/** Buttons that still mean something; the oldest go first. */
export const MAX_BUTTONS = 5_000;
const BUTTON_LIFE_MS = 7 * 24 * 60 * 60_000;

const action = <K extends string, S extends z.core.$ZodShape>(kind: K, shape: S) => z.object({ kind: z.literal(kind), ...shape });
const conversation = { conversationId: z.string() };
const request = { ...conversation, requestId: z.string() };
const change = { ...conversation, changeId: z.string() };

const actionSchema = z.discriminatedUnion("kind", [
	action("stop", conversation),
	action("answer", { ...request, answer: z.string() }),
	action("answer-other", request),
	action("decide", { ...request, decision: z.enum(["approve-once", "approve-for-session", "reject"]), remember: z.optional(z.boolean()) }),
	/** Without an action it is sent back. */
	action("plan", { ...request, action: z.optional(z.string()) }),
	action("budget", { ...request, decision: z.enum(["once", "raise", "stop"]), limit: z.optional(z.number()) }),
	action("form", { ...request, step: z.number(), what: z.enum(["choose", "done", "skip", "decline"]), value: z.optional(z.string()) }),
	action("queue-now", { ...conversation, messageId: z.string() }),
	action("queue-drop", { ...conversation, messageId: z.string() }),
	action("kill-exec", { execId: z.string(), conversationId: z.optional(z.string()) }),
	action("kill-job", { ...conversation, bashId: z.string() }),
	action("set-model", { ...conversation, model: z.string() }),
	action("set-choice", { ...conversation, setting: z.enum(["mode", "effort"]), value: z.string(), name: z.string() }),
	action("set-agent", { agent: z.string() }),
	action("switch", conversation),
	action("inbox-open", conversation),
	action("inbox-seen", { itemId: z.string() }),
	action("inbox-later", { itemId: z.string() }),
	action("schedule", { scheduleId: z.string(), what: z.enum(["run", "pause", "resume", "make-up", "skip"]) }),
	action("trust", { path: z.string(), trusted: z.boolean(), seen: z.string() }),
	action("rule-revoke", { ruleId: z.string() }),
	action("change-diff", change),
	action("change-preview", change),
	action("change-undo", change),
	action("change-redo", change),
	action("resend", { rowId: z.number() }),
	action("run-late", { updateIds: z.array(z.number()) }),
	action("drop-late", { updateIds: z.array(z.number()) }),
]);
/** What a tap means. Telegram carries only an opaque id; the meaning stays here. */
export type ButtonAction = z.infer<typeof actionSchema>;

export interface Buttons {
	/** A button for this chat; `callback_data` tells nothing and cannot be guessed. */
	make(chatId: number, text: string, action: ButtonAction): InlineKeyboardButton;
	/** What the tap means, or undefined when the button is unknown, expired or of another chat. */
	find(chatId: number, data: string): ButtonAction | undefined;
	forget(data: string): void;
	moveChat(from: number, to: number): void;
	conversationIds(): string[];
	forgetConversation(id: string): void;
}

export function createButtons(deps: { sql: SqlDatabase; clock: Clock; ids: IdSource }): Buttons {
	const { sql, clock, ids } = deps;
	const insert = sql.prepare("INSERT INTO telegram_buttons (id, chat_id, conversation_id, action, expires_at) VALUES (?, ?, ?, ?, ?)");
	const select = sql.prepare("SELECT chat_id, action, expires_at FROM telegram_buttons WHERE id = ?");
	const prune = sql.prepare(`
		DELETE FROM telegram_buttons WHERE expires_at < ? OR position <= (
			SELECT position FROM telegram_buttons ORDER BY position DESC LIMIT 1 OFFSET ${MAX_BUTTONS}
		)`);
	let made = 0;

	return {
		make(chatId, text, meaning) {
			const id = ids.next().replaceAll("-", "").slice(0, 24);
			insert.run(
				id,
				chatId,
				"conversationId" in meaning ? (meaning.conversationId ?? null) : null,
				JSON.stringify(meaning),
				clock.now() + BUTTON_LIFE_MS,
			);
			if (made++ % 100 === 0) prune.run(clock.now());
			return { text, callback_data: id };
		},
		find(chatId, data) {
			const row = select.get(data);
			if (row === undefined || numberColumn(row, "chat_id") !== chatId || numberColumn(row, "expires_at") < clock.now()) return undefined;
			const meaning = actionSchema.safeParse(JSON.parse(textColumn(row, "action")));
			// A button of an earlier version may mean something that was removed since.
			return meaning.success ? meaning.data : undefined;
		},
		forget: (data) => {
			sql.prepare("DELETE FROM telegram_buttons WHERE id = ?").run(data);
		},
		moveChat: (from, to) => {
			sql.prepare("UPDATE telegram_buttons SET chat_id = ? WHERE chat_id = ?").run(to, from);
		},
		conversationIds: () =>
			sql
				.prepare("SELECT DISTINCT conversation_id FROM telegram_buttons WHERE conversation_id IS NOT NULL")
				.all()
				.map((row) => textColumn(row, "conversation_id")),
		forgetConversation: (id) => {
			sql.prepare("DELETE FROM telegram_buttons WHERE conversation_id = ?").run(id);
		},
	};
}
