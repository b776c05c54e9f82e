import { expect, test } from "vitest";
import { type ConversationId, conversationId, execId, messageId, seq } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { CHAT, conversationRow, openChat, openTestStore, temporaryHome } from "../store-harness.ts";
import { createConversationRemoval, REMOVAL_RETRY_MS } from "./conversation-removal.ts";
import { createRemovalSteps, REMOVAL_BYTES, REMOVAL_ROWS } from "./removal-steps.ts";

const TABLES = ["messages", "message_pieces", "messages_text", "events", "commands", "removed_messages", "deleted_conversations"];
const count = (sql: SqlDatabase, table: string) => Number(sql.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n);
const counts = (sql: SqlDatabase) => Object.fromEntries(TABLES.map((table) => [table, count(sql, table)]));
const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

/** Messages, one of them in very many pieces, events, commands and what was removed: much more than a step of each. */
function fill({ store }: Pick<ReturnType<typeof openChat>, "store">, id: ConversationId = CHAT) {
	const text = "y".repeat(9_000_000);
	const metadata = { outcome: "completed", tools: [], parts: [{ kind: "text", content: text }] };
	store.transaction(() => {
		store.messages.addMessage(id, { role: "assistant", content: text, metadata });
		for (let n = 1; n <= 250; n += 1) {
			store.messages.addMessage(id, { role: "user", content: `findable ${n}`, metadata: {}, clientMessageId: `c${n}` });
			store.events.append(id, seq(n), JSON.stringify({ n, text: "z".repeat(2_000) }));
			store.commands.insert({
				...{ execId: execId(`${id}-${n}`), conversationId: id, command: "ls", cwd: "/", origin: "web", clientMessageId: null },
				...{ startedAt: 1, firstSeq: seq(1), endedAt: n <= 2 ? null : 5, messageId: null },
			});
		}
		for (const { id: message } of store.messages.page(id, { limit: 150 }).messages) store.messages.delete(id, messageId(message));
	});
}

test("[ST200] a large conversation is gone for everybody at once, and the call removes hardly a row", async () => {
	const opened = openChat({ path: temporaryHome().path });
	const { store, sql } = opened;
	fill(opened);
	store.turns.begin({ conversationId: CHAT, messageId: messageId("m"), userMessageId: messageId("u"), startedAt: 1, firstSeq: seq(1) });
	store.attachments.insert({ id: "f", name: "n", mimeType: "t", size: 1, path: "p", createdAt: 1, conversationId: CHAT });
	const before = counts(sql);
	expect(store.conversations.delete(CHAT)).toBe(true);
	expect(counts(sql)).toEqual({ ...before, commands: 248, deleted_conversations: 1 });
	expect(store.conversations.find(CHAT)).toBeUndefined();
	expect(store.conversations.list({ limit: 10 }).rows).toEqual([]);
	expect(store.conversations.delete(CHAT)).toBe(false);
	expect(store.attachments.find("f")?.conversationId).toBeNull();
	expect([store.turns.open(), store.commands.running()]).toEqual([[], []]);
	expect(() => store.events.append(CHAT, seq(9_999), "{}")).toThrow("no longer exists");
	expect(() => store.messages.addMessage(CHAT, { role: "user", content: "x", metadata: {} })).toThrow("no longer exists");
	expect(await store.messages.search("findable")).toEqual([]);
	await expect.poll(() => counts(sql), { timeout: 20_000 }).toEqual(NOTHING);
});

test("[ST200] no step removes more rows or more text than its bound, but always one row", () => {
	const opened = openChat();
	const { sql } = opened;
	fill(opened);
	sql.exec("INSERT INTO deleted_conversations (id) VALUES ('chat')");
	const steps = createRemovalSteps(sql.prepare, { rows: REMOVAL_ROWS, bytes: REMOVAL_BYTES });
	const rows = () => TABLES.filter((table) => table !== "messages_text").reduce((sum, table) => sum + count(sql, table), 0);
	const bytes = () =>
		Number(
			sql
				.prepare(
					"SELECT (SELECT total(octet_length(text)) FROM message_pieces) + (SELECT total(octet_length(frame)) FROM events) + (SELECT total(octet_length(content)) FROM messages) AS n",
				)
				.get()?.n,
		);
	let taken = 0;
	for (let before = [rows(), bytes()] as const; steps.remove().length > 0; before = [rows(), bytes()]) {
		taken += 1;
		// The tombstone itself goes with the last.
		expect(before[0] - rows()).toBeLessThanOrEqual(REMOVAL_ROWS + 1);
		expect(before[0] - rows()).toBeGreaterThan(0);
		expect(before[1] - bytes()).toBeLessThanOrEqual(REMOVAL_BYTES);
	}
	expect(taken).toBeGreaterThan(10);
	expect(counts(sql)).toEqual(NOTHING);
});

test("[ST200] a row that is larger than the bound goes alone", () => {
	const opened = openChat();
	for (let n = 1; n <= 3; n += 1) opened.store.events.append(CHAT, seq(n), "z".repeat(100));
	opened.sql.exec("INSERT INTO deleted_conversations (id) VALUES ('chat')");
	const steps = createRemovalSteps(opened.sql.prepare, { rows: 10, bytes: 5 });
	const left = [];
	while (steps.remove().length > 0) left.push(count(opened.sql, "events"));
	expect(left).toEqual([2, 1, 0]);
});

test("[ST200] the others keep what is theirs, and a small conversation goes whole at once", async () => {
	const opened = openChat({ path: temporaryHome().path });
	const { store, sql, say } = opened;
	const large = conversationId("large");
	store.conversations.insert(conversationRow(large));
	say("mine");
	fill(opened, large);
	store.conversations.delete(large);
	await expect.poll(() => count(sql, "deleted_conversations"), { timeout: 20_000 }).toBe(0);
	expect(counts(sql)).toMatchObject({ messages: 1, messages_text: 1, events: 0, message_pieces: 0 });
	store.conversations.delete(CHAT);
	expect(counts(sql)).toEqual(NOTHING);
});

test("[ST201] what a stop has left of a deleted conversation is removed after the next start", async () => {
	const { path } = temporaryHome();
	const first = openChat({ path });
	fill(first);
	first.store.conversations.delete(CHAT);
	await first.close();
	const { sql, start } = openTestStore({ path });
	await start();
	await expect.poll(() => counts(sql), { timeout: 20_000 }).toEqual(NOTHING);
});

test("[ST201] a step that fails is told and tried again a minute later, and damage of the search index starts its repair", async () => {
	const { sql, clock } = openChat();
	sql.exec("INSERT INTO deleted_conversations (id) VALUES ('chat')");
	const failures = [new RangeError("no"), new RangeError("fts5: corrupt structure record")];
	const [asked, warnings, repaired]: [string[], string[], unknown[]] = [[], [], []];
	const thread = {
		async run(task: string) {
			asked.push(task);
			const failure = failures.shift();
			if (failure !== undefined) throw failure;
			return [];
		},
	};
	const removal = createConversationRemoval({
		...{ sql, clock, thread, withoutForeignKeys: (work) => work() },
		logger: { ...silentLogger, warn: (_fields, message) => void warnings.push(message) },
		index: { forgetConversation: () => undefined, forgetTitle: () => undefined, repair: (error) => void repaired.push(error) },
	});
	removal.start();
	await clock.advance(2 * REMOVAL_RETRY_MS);
	expect([asked.length, warnings.length, repaired.length]).toEqual([3, 2, 1]);
	removal.close();
	removal.start();
	await clock.advance(2 * REMOVAL_RETRY_MS);
	expect(asked).toHaveLength(3);
});
