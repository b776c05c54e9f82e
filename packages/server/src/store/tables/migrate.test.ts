import { readdirSync } from "node:fs";
import { expect, test } from "vitest";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { listBackups } from "../backup/backup-files.ts";
import { CHAT, openTestStore, temporaryHome } from "../store-harness.ts";
import { allMigrations } from "./migrations/all-migrations.ts";

/** Rows in every table that a given migration makes, as that schema had them; a new migration with tables adds its own here. */
const sampleData: Record<string, string> = {
	"0001-core": `
		INSERT INTO settings VALUES ('web.theme', 'dark');
		INSERT INTO conversations (key, id, title, title_fixed, model, cwd, sdk_session_id, pinned, archived, permissions, status, epoch, head_seq, created_at, updated_at)
			VALUES (1, 'chat', '旅行計畫', 1, 'm', '/', 's', 1, 0, 'ask', 'completed', 'e', 2, 5, 6);
		INSERT INTO titles_text (rowid, text) VALUES (1, '旅 行 計 畫');
		INSERT INTO messages (key, conversation_id, id, position, role, content, metadata, delivery, context, client_message_id, payload_hash, created_at)
			VALUES (1, 'chat', 'u1', 1, 'user', 'hello', '{"origin":"web"}', NULL, NULL, 'c1', 'h1', 5);
		INSERT INTO messages (key, conversation_id, id, position, role, content, metadata, delivery, context, client_message_id, payload_hash, created_at)
			VALUES (2, 'chat', 'q1', 1099511627776, 'user', 'later', '{"delivery":"queued"}', 'queued', NULL, NULL, NULL, 6);
		INSERT INTO messages_text (rowid, text) VALUES (1, 'hello'), (2, 'later');
		INSERT INTO events VALUES ('chat', 1, '{"type":"copilot:delta"}'), ('chat', 2, '{"type":"copilot:idle"}');
		INSERT INTO open_turns VALUES ('chat', 'a1', 'u1', 5, 1);
		INSERT INTO commands VALUES ('x1', 'chat', 'ls', '/', 'web', NULL, 5, 1, NULL, NULL);
		INSERT INTO attachments VALUES ('f1', 'n', 't', 3, 'p', 5, 'chat');
	`,
	"0004-removed-messages": `
		INSERT INTO removed_messages VALUES (1, 'chat', 'c0', 'u0', 'h0');
	`,
	"0005-message-pieces": `
		INSERT INTO message_pieces VALUES (1, 'content', 0, 'a long text');
	`,
	"0006-deleted-conversations": `
		INSERT INTO deleted_conversations VALUES (1, 'gone');
	`,
	"0010-web": `
		INSERT INTO web_sessions VALUES ('s1', 'h1', 't1', 5, 6, '127.0.0.1', 'browser', 'code');
		INSERT INTO audit_log VALUES (1, 5, 'login', '127.0.0.1', 'code');
		INSERT INTO push_subscriptions VALUES ('p1', 'https://push.example/1', 'k', 'a', 's1', 5);
		INSERT INTO passkeys (id, public_key, counter, transports, name, host, created_at) VALUES ('k1', x'0102', 3, '[]', 'Laptop', 'localhost', 5);
	`,
	"0040-mcp": `
		INSERT INTO mcp_tokens VALUES ('t1', 'Editor', 'd1', 'ask', 'own', 6, NULL);
		INSERT INTO mcp_conversations (conversation_id, owner, origin, depth) VALUES ('c1', 't1', 'token t1', 1);
		INSERT INTO mcp_spent VALUES ('token t1', 'prompt', 6);
	`,
	"0070-fleet": `
		INSERT INTO fleet_chains VALUES ('c1', 5, 'e1', 3, '0123456789abcdef');
		INSERT INTO fleet_outbox (client_message_id, entry) VALUES ('m1', '{}');
		INSERT INTO fleet_fences VALUES ('telegram', 4);
		INSERT INTO fleet_created (key, conversation_id, created_at) VALUES ('h1 a', 'c1', 5);
	`,
	"0080-trusted-folders": `
		INSERT INTO trusted_folders VALUES ('/home/ann/shop', 1, 6);
	`,
	"0082-permission-rules": `
		INSERT INTO permission_rules VALUES (1, 'r1', '/home/ann/shop', '["git","status"]', 0, 0, 5);
	`,
	"0089-todos": `
		INSERT INTO todos VALUES ('chat', '{"items":[]}');
	`,
	"0066-shares": `
		INSERT INTO shares VALUES ('s1', 'chat', 'd1', 6, 7, NULL);
	`,
	"0050-inbox": `
		INSERT INTO inbox_ends VALUES ('chat', 'm1', 'finished', 6, 'The answer is ready.', 'turn-finished', '{}');
		INSERT INTO inbox_marks (item_id, seen, snoozed_until) VALUES ('finished-m1', 0, 7);
		INSERT INTO inbox_told VALUES ('finished-m1', 'chat', 1);
	`,
	"0055-usage": `
		INSERT INTO usage VALUES ('2026-11-17', 'chat', 'copilot', 'm', 12, 3, 0.5);
	`,
	"0060-schedules": `
		INSERT INTO schedules VALUES ('n1', 'Read the news', NULL, '0 7 * * *', 'Asia/Taipei', 'chat', NULL, 0, 0, 99, 5, 0, NULL, 0, NULL, NULL, 5);
		INSERT INTO schedule_runs VALUES (1, 'n1', '98', 98, 98, 'completed', 'chat', 'u1', NULL);
	`,
	"0030-worktrees": `
		INSERT INTO worktrees VALUES ('/home/ann/trees/shop', 'c1', 'topic', '/home/ann/shop', 5);
	`,
	"0015-logins": `
		INSERT INTO revoked_sessions VALUES ('h2', 5);
	`,
	"0020-telegram": `
		INSERT INTO telegram_inbox (bot_id, update_id, received_at, state, payload) VALUES (1, 10, 5, 'pending', '{}');
		INSERT INTO telegram_outbox (id, dedupe_key, chat_id, state, payload, created_at) VALUES (1, 'd1', 7, 'pending', '{}', 5);
		INSERT INTO telegram_live VALUES (7, 8, NULL);
		INSERT INTO telegram_chats (chat_id, thread_id, conversation_id, created_at, last_used) VALUES (7, 0, 'chat', 5, 6);
		INSERT INTO telegram_prompts (chat_id, message_id, conversation_id, prompt_id, created_at) VALUES (7, 9, 'chat', 'u1', 5);
		INSERT INTO telegram_buttons (id, chat_id, action, expires_at) VALUES ('b1', 7, '{}', 99);
		INSERT INTO telegram_people VALUES (42, 'Someone', 5);
		INSERT INTO telegram_state VALUES ('offset', '11');
	`,
	"0021-telegram-order": `
		INSERT INTO telegram_languages VALUES (7, 'zh-Hant');
	`,
};

const tablesOf = (sql: SqlDatabase) =>
	sql
		.prepare(
			"SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE '%\\_text%' ESCAPE '\\' AND name NOT IN ('meta', 'migrations')",
		)
		.all()
		.map((row) => String(row.name));
const dump = (sql: SqlDatabase) => new Map(tablesOf(sql).map((table) => [table, sql.prepare(`SELECT * FROM ${table}`).all()]));
const columnsOf = (rows: SqlRow[], like: SqlRow[]) =>
	rows.map((row) => Object.fromEntries(Object.keys(like[0] ?? {}).map((name) => [name, row[name]])));

test("[ST9] migrations have a number and a name, in order, and each is applied once", async () => {
	const names = allMigrations.map((migration) => migration.name);
	expect(names).toEqual([...new Set(names)].sort());
	for (const name of names) expect(name).toMatch(/^\d{4}-[a-z-]+$/);
	const files = readdirSync(new URL("./migrations", import.meta.url)).filter((name) => /^\d{4}-/.test(name) && !name.endsWith(".test.ts"));
	expect(files.sort()).toEqual(names.map((name) => `${name}.ts`));
});

test.each(allMigrations.map((migration, n) => [migration.name, n + 1] as const))(
	"[ST9] a database of the schema up to %s comes to the newest without losing a row",
	async (_name, count) => {
		const { path } = temporaryHome();
		const migrations = allMigrations.slice(0, count);
		const old = openTestStore({ path, migrations });
		for (const { name } of migrations) old.sql.exec(sampleData[name] ?? "");
		const before = dump(old.sql);
		expect([...before].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([]);
		await old.close();

		const { sql, store } = openTestStore({ path });
		const after = dump(sql);
		for (const [table, rows] of before) expect([table, columnsOf(after.get(table) ?? [], rows)]).toEqual([table, columnsOf(rows, rows)]);
		expect(store.messages.page(CHAT, { limit: 5 }).messages.map((message) => message.id)).toEqual(["u1"]);
		expect(store.messages.queued(CHAT).map((message) => message.id)).toEqual(["q1"]);
		expect(await store.messages.search("計畫")).toHaveLength(1);
		expect(sql.prepare("SELECT name FROM migrations ORDER BY name").all()).toEqual(allMigrations.map(({ name }) => ({ name })));
		expect(sql.prepare("PRAGMA foreign_key_check").all()).toEqual([]);
	},
);

test("[AG2] conversations from before there was a choice of agents are Copilot's", async () => {
	const { path } = temporaryHome();
	const old = openTestStore({ path, migrations: allMigrations.filter(({ name }) => name !== "0007-conversation-agent") });
	old.sql.exec(sampleData["0001-core"] ?? "");
	await old.close();
	expect(openTestStore({ path }).store.conversations.find(CHAT)).toMatchObject({ title: "旅行計畫", agent: "copilot" });
});

test("[ST10] a database written by a newer version is refused and left as it is", async () => {
	const { path } = temporaryHome();
	const newer = [...allMigrations, { name: "9999-from-the-future", up: () => undefined }];
	await openTestStore({ path, migrations: newer }).close();
	expect(() => openTestStore({ path })).toThrow("written by a newer Rightseat (it has 9999-from-the-future)");
	openTestStore({ path, migrations: newer });
});

test("[ST11] before an upgrade of a database with data a backup is made", async () => {
	const { path, backups } = temporaryHome();
	const old = openTestStore({ path });
	old.store.settings.set("k", "v");
	await old.close();
	expect(listBackups(backups)).toEqual([]);

	const addition = { name: "9000-addition", up: (sql: SqlDatabase) => sql.exec("DELETE FROM settings") };
	const upgraded = openTestStore({ path, migrations: [...allMigrations, addition] });
	expect(upgraded.store.settings.get("k")).toBeUndefined();
	expect(listBackups(backups)).toEqual([expect.stringContaining("-before-upgrade.db")]);
	const copy = openTestStore({ path: listBackups(backups)[0] ?? "" });
	expect(copy.store.settings.get("k")).toBe("v");
});

test("[ST9] a migration that fails changes nothing and is tried again at the next start", async () => {
	const { path } = temporaryHome();
	const broken = {
		name: "9000-broken",
		up(sql: SqlDatabase) {
			sql.exec("CREATE TABLE half (a)");
			throw new Error("broken");
		},
	};
	expect(() => openTestStore({ path, migrations: [...allMigrations, broken] })).toThrow("broken");
	const { sql } = openTestStore({ path });
	expect(sql.prepare("SELECT name FROM sqlite_schema WHERE name = 'half'").get()).toBeUndefined();
});
