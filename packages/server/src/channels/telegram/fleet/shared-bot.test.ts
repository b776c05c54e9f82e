import { afterEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { MAX_SHARED_BYTES, type SharedTable } from "../../../core/ports/fleet.ts";
import { type OpenedStore, openStore } from "../../../store/open-store.ts";
import { readBot, readChat } from "./read-entries.ts";
import { createSharedBot } from "./shared-bot.ts";
import { bytesOf, MAX_CHATS } from "./shared-entries.ts";

const [DESK, LAPTOP] = ["abcdefgh234567ab", "bcdefgh234567abc"] as const;
const CHAT = 1001;
const clock = createFakeClock();
const stores: OpenedStore[] = [];
afterEach(async () => {
	await Promise.all(stores.splice(0).map((opened) => opened.close()));
});

function newStore() {
	const opened = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	stores.push(opened);
	return opened.sql;
}
type Sql = ReturnType<typeof newStore>;

function memoryTable() {
	const entries = new Map<string, { value: unknown; revision: number }>();
	let revision = 0;
	const table: SharedTable = {
		get: async (key) => entries.get(key),
		async put(key, value, expected) {
			if (entries.get(key)?.revision !== expected) return undefined;
			revision += 1;
			entries.set(key, { value: structuredClone(value), revision });
			return revision;
		},
	};
	return { table, entries };
}
const botOf = (table: SharedTable, self: string, sql: Sql, fence: number) =>
	createSharedBot({ table, botId: 7, self, fence, sql, clock, logger: silentLogger, leftBehind: () => "more" });
const bind = (sql: Sql, conversationId: string, chatId = CHAT) =>
	sql.prepare("INSERT OR REPLACE INTO telegram_chats VALUES (?, 0, ?, 'm1', 1, 1, 'm0')").run(chatId, conversationId);
const wait = (sql: Sql, key: string, text: string, chatId = CHAT) =>
	sql
		.prepare("INSERT INTO telegram_outbox (dedupe_key, chat_id, state, payload, size, created_at) VALUES (?, ?, 'pending', ?, ?, 1)")
		.run(key, chatId, JSON.stringify({ kind: "text", text, entities: [], keyboard: [[{ text: "x", callback_data: "y" }]] }), text.length);
const waiting = (sql: Sql) =>
	sql
		.prepare("SELECT dedupe_key, state, payload FROM telegram_outbox ORDER BY id")
		.all()
		.map(({ dedupe_key: key, state, payload }) => [key, state, payload]);

test("[FL242] what is left for the next holder fits in an entry however much there is, and that there was more is said", () => {
	const sql = newStore();
	for (let index = 0; index < 120; index++) {
		sql
			.prepare("INSERT INTO telegram_chats VALUES (?, ?, ?, ?, 1, ?, NULL)")
			.run(CHAT, index, `c${index}`.padEnd(60, "x"), "m".repeat(60), index);
		wait(sql, `waits:${index}`, '"\n'.repeat(300));
		sql
			.prepare("INSERT INTO telegram_outbox (dedupe_key, chat_id, state, size, created_at) VALUES (?, ?, 'sent', 0, 1)")
			.run(`sent:${index}`.padEnd(300, "k"), CHAT);
		sql.prepare("INSERT INTO telegram_live VALUES (?, ?, ?)").run(CHAT, index, "⌛".repeat(400));
	}
	const chat = readChat(sql, CHAT, { self: DESK, fence: 1, leftBehind: "more" });
	expect(bytesOf(chat)).toBeLessThanOrEqual(MAX_SHARED_BYTES);
	expect([chat.rows[0]?.key, chat.rows.length > 5, JSON.parse(chat.rows.at(-1)?.payload ?? "")]).toMatchObject([
		"waits:0",
		true,
		{ text: "more" },
	]);
	for (let index = 1; index < 2_000; index++) {
		bind(sql, "c", index);
		sql.prepare("INSERT INTO telegram_people VALUES (?, ?, 1)").run(index, "名".repeat(80));
	}
	const bot = readBot(sql, 7, { self: DESK, fence: 1 });
	expect([bytesOf(bot) <= MAX_SHARED_BYTES, bot.people.length > 20, bot.chats.length]).toEqual([true, true, MAX_CHATS]);
});

test("[FL243] the next holder has chats, people and waiting messages under its own ids, and the one before cannot write any more", async () => {
	const { table, entries } = memoryTable();
	const [desk, laptop] = [newStore(), newStore()];
	bind(desk, "own");
	bind(desk, `${LAPTOP}_theirs`, 2002);
	wait(desk, "k1", "hello");
	desk.prepare("INSERT INTO telegram_people VALUES (5, 'Bob', 1)").run();
	const before = botOf(table, DESK, desk, 1);
	await before.claim();
	bind(laptop, "of an earlier time", 3003);
	wait(laptop, "old", "sent by others since", 3003);
	const after = botOf(table, LAPTOP, laptop, 2);
	await after.claim();
	const chats = laptop.prepare("SELECT chat_id, conversation_id, open_turn, told FROM telegram_chats ORDER BY chat_id").all();
	expect(chats.map(Object.values)).toEqual([
		[CHAT, `${DESK}_own`, "m1", "m0"],
		[2002, "theirs", "m1", "m0"],
	]);
	expect(waiting(laptop)).toEqual([["k1", "pending", JSON.stringify({ kind: "text", text: "hello", entities: [] })]]);
	expect(laptop.prepare("SELECT user_id FROM telegram_people").all()).toMatchObject([{ user_id: 5 }]);
	// It has slept, and does not know yet.
	desk.prepare("UPDATE telegram_outbox SET state = 'sending'").run();
	expect([await before.flushChat(CHAT), before.isOvertaken()]).toEqual([false, true]);
	expect([entries.get(`7.chat.${CHAT}`)?.value, await after.flush()]).toMatchObject([{ fence: 2, rows: [{ state: "pending" }] }, true]);
	await expect(botOf(table, DESK, desk, 1).claim()).rejects.toMatchObject({ code: "fleet-refused" });
});

test("[FL244] a holder writes everything again when the table was deleted; who finds nothing sends nothing that others may have sent", async () => {
	const { table, entries } = memoryTable();
	const desk = newStore();
	bind(desk, "own");
	wait(desk, "k1", "hello");
	const first = botOf(table, DESK, desk, 1);
	await first.claim();
	entries.clear();
	wait(desk, "k2", "again");
	expect([await first.flush(), entries.has(`7.chat.${CHAT}`)]).toEqual([true, true]);
	// The same host again, with nobody in between: what waits is its own.
	await botOf(table, DESK, desk, 2).claim();
	expect(waiting(desk).map(([key, state]) => [key, state])).toEqual([
		["k1", "pending"],
		["k2", "pending"],
	]);
	entries.clear();
	await botOf(table, DESK, desk, 4).claim();
	expect(waiting(desk).map(([key, state]) => [key, state])).toEqual([
		["k1", "dead"],
		["k2", "dead"],
	]);
});
