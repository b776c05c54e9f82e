import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import type { Message } from "@rightseat/protocol/model/message";
import { expect, test } from "vitest";
import { exportConversation } from "../../core/conversations/export-conversation.ts";
import { messageJson } from "../../core/conversations/message-json.ts";
import { messageId } from "../../core/kernel/ids.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { Store } from "../../core/ports/store.ts";
import { listBackups } from "../backup/backup-files.ts";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { CHAT, openTestStore, temporaryHome } from "../store-harness.ts";
import { allMigrations } from "./migrations/all-migrations.ts";

const read = (name: string) => gunzipSync(readFileSync(new URL(`./fixtures/${name}.gz`, import.meta.url)));
const { messages, markdown }: { messages: Message[]; markdown: string } = JSON.parse(read("first-release.json").toString());

/** A home as the first release left it. */
function firstRelease() {
	const home = temporaryHome();
	writeFileSync(home.path, read("first-release.db"), { mode: 0o600 });
	return home;
}

const conversation = {
	id: "chat",
	title: "旅行計畫",
	agent: "copilot",
	mode: "agent",
	effort: "",
	model: "m",
	cwd: "/",
	sdkSessionId: null,
	createdAt: "c",
	updatedAt: "u",
} as const;
const state = { pinned: false, archived: false, permissions: "auto", status: "idle", asking: false, epoch: "e1", headSeq: 3 } as const;
const exported = (store: Store, format: "json" | "markdown") =>
	[...exportConversation({ ...conversation, ...state }, store.messages.iterate(CHAT), format)].join("");

async function expectUnchanged(store: Store) {
	const whole = messages.map(({ id }) => {
		const found = store.messages.open(CHAT, messageId(id));
		return found === undefined ? undefined : JSON.parse([...messageJson(found)].join(""));
	});
	expect(whole).toEqual(messages);
	expect(JSON.parse(exported(store, "json")).messages).toEqual(messages);
	expect(exported(store, "markdown")).toBe(markdown);
	const page = store.messages.page(CHAT, { limit: 50, withQueued: true }).messages;
	expect(page.map(({ id }) => id)).toEqual(messages.map(({ id }) => id));
	// What is of ordinary size is on the page as it was.
	expect(page.filter(({ id }) => id !== "a2")).toEqual(messages.filter(({ id }) => id !== "a2"));
	expect(page.find(({ id }) => id === "a2")).toMatchObject({ truncated: { content: 400_026, reasoning: 81_000 } });
	expect(await store.messages.search("火車")).toHaveLength(1);
	expect(store.messages.queued(CHAT).map(({ id }) => id)).toEqual(["q1"]);
	expect(store.messages.findByClientId(CHAT, "c1")).toMatchObject({ payloadHash: "h1" });
	expect(store.settings.get("web.theme")).toBe("dark");
}

test("[ST174] a database of the first release is upgraded after a backup; every message reads as it did, through pages, whole and in exports", async () => {
	const { path, backups } = firstRelease();
	const { store, sql } = openTestStore({ path });
	await expectUnchanged(store);
	expect(sql.prepare("SELECT count(*) AS n FROM message_pieces").get()?.n).toBeGreaterThan(10);
	expect(sql.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
	const [backup = ""] = listBackups(backups);
	expect(backup).toContain("-before-upgrade.db");
	const again = temporaryHome();
	copyFileSync(backup, again.path);
	await expectUnchanged(openTestStore({ path: again.path }).store);
});

test("[ST202] whoever waits for the upgrade of a large database is told what goes on", () => {
	const { path } = firstRelease();
	const { DatabaseSync } = loadSqlite().module;
	const old = new DatabaseSync(path);
	old.exec("CREATE TABLE bulk (b); INSERT INTO bulk VALUES (zeroblob(70000000))");
	old.close();
	const told: string[] = [];
	openTestStore({ path, tell: (sentence) => void told.push(sentence) });
	expect(told).toEqual([
		expect.stringMatching(/^storage: making a backup before the upgrade, 7\d MB$/),
		expect.stringMatching(/^storage: upgrading, \d+ %$/),
		expect.stringMatching(/^storage: rewriting the database so that it can shrink, 7\d MB$/),
		"storage: up to date after 0 s",
	]);
});

test.each([1, 2, 4])(
	"[ST174] an upgrade that is cut off after answer %i changes nothing, and the next start makes it whole",
	async (limit) => {
		const { path } = firstRelease();
		const cut = allMigrations.map((migration) =>
			migration.name === "0005-message-pieces"
				? { ...migration, up: (sql: SqlDatabase) => migration.up(failingAfter(sql, limit)) }
				: migration,
		);
		expect(() => openTestStore({ path, migrations: cut })).toThrow("The power went out.");
		await expectUnchanged(openTestStore({ path }).store);
	},
);

/** Writes so many rewritten messages and fails at the next. */
function failingAfter(sql: SqlDatabase, limit: number): SqlDatabase {
	let count = 0;
	return {
		...sql,
		prepare(text) {
			const statement = sql.prepare(text);
			if (!text.startsWith("UPDATE messages")) return statement;
			return {
				...statement,
				run(...values) {
					count += 1;
					if (count >= limit) throw new RangeError("The power went out.");
					return statement.run(...values);
				},
			};
		},
	};
}
