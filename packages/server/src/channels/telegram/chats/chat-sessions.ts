import type { Clock } from "../../../core/kernel/clock.ts";
import { type ConversationId, conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow } from "../../../core/ports/sql.ts";
import { numberColumn, textColumn, textOrNullColumn } from "../../../core/ports/sql-row.ts";
import type { ChatThread } from "./chat-thread.ts";

/** What a chat works with. The session is that of the conversation, which the page shows as well. */
export interface SessionEntry {
	conversationId: ConversationId;
	model: string;
	workingDirectory: string;
	createdAt: number;
	lastUsed: number;
}

/** Which chat (or topic) shows which conversation; kept over restarts. */
export interface ChatSessions {
	/** By chat id, as `sessions.get(chatId)`; topics of a forum have a map each. */
	of(threadId: number | undefined): Map<number, SessionEntry>;
	find(thread: ChatThread): SessionEntry | undefined;
	/** Stores what the chat shows, and how far it was told that; may join a transaction. Nobody finds it before `keep`, or `refresh`. */
	write(thread: ChatThread, entry: Omit<SessionEntry, "createdAt" | "lastUsed">, told: { openTurn?: string; told?: string }): SessionEntry;
	/** What was written is what the chat shows from now on. */
	keep(thread: ChatThread, entry: SessionEntry): void;
	/** The chat shows what is stored, whatever became of a transaction. */
	refresh(thread: ChatThread): SessionEntry | undefined;
	touch(thread: ChatThread): void;
	unbind(thread: ChatThread): void;
	/** Every chat or topic that shows this conversation. */
	threadsOf(conversationId: ConversationId): ChatThread[];
	all(): { thread: ChatThread; entry: SessionEntry }[];
	/** The prompt whose answer this chat still waits for; survives a crash. */
	openTurn(thread: ChatThread): string | undefined;
	setOpenTurn(thread: ChatThread, userMessageId: string | undefined): void;
	/** The last answer that this chat was told: empty before the first, undefined when nobody knows. */
	told(thread: ChatThread): string | undefined;
	/** It waits no more for the answer to this prompt; `messageId` is that answer, if one is stored. */
	answered(thread: ChatThread, promptId: string | undefined, messageId: string | undefined): void;
	moveChat(from: number, to: number): void;
}

export function createChatSessions(deps: {
	sql: SqlDatabase;
	clock: Clock;
	/** Model and directory of a conversation that still exists. */
	describe: (id: ConversationId) => { model: string; cwd: string } | undefined;
}): ChatSessions {
	const { sql, clock } = deps;
	const maps = new Map<number, Map<number, SessionEntry>>();
	const of = (threadId: number | undefined) => {
		const map = maps.get(threadId ?? 0) ?? new Map<number, SessionEntry>();
		maps.set(threadId ?? 0, map);
		return map;
	};
	const keys = (thread: ChatThread): [number, number] => [thread.chatId, thread.threadId ?? 0];
	const remove = sql.prepare("DELETE FROM telegram_chats WHERE chat_id = ? AND thread_id = ?");

	const read = (row: SqlRow): SessionEntry | undefined => {
		const id = toConversationId(textColumn(row, "conversation_id"));
		const known = deps.describe(id);
		if (known === undefined) return undefined;
		const times = { createdAt: numberColumn(row, "created_at"), lastUsed: numberColumn(row, "last_used") };
		return { conversationId: id, model: known.model, workingDirectory: known.cwd, ...times };
	};
	const load = () => {
		maps.clear();
		for (const row of sql.prepare("SELECT * FROM telegram_chats").all()) {
			const entry = read(row);
			if (entry === undefined) remove.run(numberColumn(row, "chat_id"), numberColumn(row, "thread_id"));
			else of(numberColumn(row, "thread_id")).set(numberColumn(row, "chat_id"), entry);
		}
	};
	load();
	const stored = sql.prepare("SELECT * FROM telegram_chats WHERE chat_id = ? AND thread_id = ?");

	const answered = sql.prepare(
		`UPDATE telegram_chats SET told = coalesce(?, told), open_turn = iif(open_turn = ?, NULL, open_turn) WHERE chat_id = ? AND thread_id = ?`,
	);
	const column = (thread: ChatThread, name: "open_turn" | "told") => {
		const row = stored.get(...keys(thread));
		return row === undefined ? undefined : (textOrNullColumn(row, name) ?? undefined);
	};

	const all = () =>
		[...maps].flatMap(([threadId, map]) =>
			[...map].map(([chatId, entry]) => ({ thread: { chatId, ...(threadId !== 0 ? { threadId } : {}) }, entry })),
		);

	return {
		of,
		find: (thread) => of(thread.threadId).get(thread.chatId),
		write(thread, given, { openTurn, told }) {
			const entry: SessionEntry = { ...given, createdAt: clock.now(), lastUsed: clock.now() };
			sql
				.prepare(
					"INSERT OR REPLACE INTO telegram_chats (chat_id, thread_id, conversation_id, open_turn, told, created_at, last_used) VALUES (?, ?, ?, ?, ?, ?, ?)",
				)
				.run(...keys(thread), entry.conversationId, openTurn ?? null, told ?? null, entry.createdAt, entry.lastUsed);
			return entry;
		},
		keep: (thread, entry) => {
			of(thread.threadId).set(thread.chatId, entry);
		},
		refresh(thread) {
			const row = stored.get(...keys(thread));
			const entry = row === undefined ? undefined : read(row);
			if (entry === undefined) of(thread.threadId).delete(thread.chatId);
			else of(thread.threadId).set(thread.chatId, entry);
			return entry;
		},
		touch(thread) {
			const entry = of(thread.threadId).get(thread.chatId);
			if (entry === undefined) return;
			entry.lastUsed = clock.now();
			sql.prepare("UPDATE telegram_chats SET last_used = ? WHERE chat_id = ? AND thread_id = ?").run(entry.lastUsed, ...keys(thread));
		},
		unbind(thread) {
			of(thread.threadId).delete(thread.chatId);
			remove.run(...keys(thread));
		},
		threadsOf: (id) => all().flatMap(({ thread, entry }) => (entry.conversationId === id ? [thread] : [])),
		all,
		openTurn: (thread) => column(thread, "open_turn"),
		told: (thread) => column(thread, "told"),
		answered: (thread, promptId, messageId) => {
			answered.run(messageId ?? null, promptId ?? null, ...keys(thread));
		},
		setOpenTurn: (thread, userMessageId) => {
			sql
				.prepare("UPDATE telegram_chats SET open_turn = ? WHERE chat_id = ? AND thread_id = ?")
				.run(userMessageId ?? null, ...keys(thread));
		},
		moveChat(from, to) {
			sql.prepare("UPDATE OR REPLACE telegram_chats SET chat_id = ? WHERE chat_id = ?").run(to, from);
			load();
		},
	};
}
