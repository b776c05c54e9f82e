import { expect, onTestFinished, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { SqlRow } from "../../core/ports/sql.ts";
import { createSqlThread } from "../sqlite/sql-thread.ts";
import { loadSqlite } from "../sqlite/sqlite-loader.ts";
import { openChat, temporaryHome } from "../store-harness.ts";
import { FIND_TASK, type FindRows, findOnThread } from "./find-rows.ts";
import { buildHere } from "./rebuild-index.ts";
import { createSearchIndex, MAX_SEARCHES, SEARCH_BUDGET_MS } from "./search-index.ts";

const MAX_RESULT_BYTES = 2_048;

function openSearched() {
	const { path } = temporaryHome();
	const opened = openChat({ path });
	const thread = createSqlThread(loadSqlite(), path, { readOnly: true, tasks: FIND_TASK });
	onTestFinished(() => thread.close());
	return { ...opened, thread };
}

function indexWith(opened: Pick<ReturnType<typeof openChat>, "sql">, find: FindRows, clock = createFakeClock()) {
	return createSearchIndex({ sql: opened.sql, find, builder: buildHere(opened.sql), clock, logger: silentLogger });
}

test("[ST150] of long messages only a bounded piece comes back from the thread, the same that a search in memory shows", async () => {
	const { say, sql, thread } = openSearched();
	const memory = openChat();
	for (const text of [`${"長 long ".repeat(60_000)}`, `${"x ".repeat(30_000)}far LONG away ${"y".repeat(900_000)}`, "so Lông"]) {
		say(text);
		memory.say(text);
	}
	const crossed: SqlRow[] = [];
	const find = findOnThread(thread, () => undefined);
	const index = indexWith({ sql }, async (request) => {
		const rows = await find(request);
		crossed.push(...rows);
		return rows;
	});
	const shown = (await index.search("long")).map((result) => result.snippet);
	expect(shown).toHaveLength(3);
	expect(shown).toEqual((await memory.store.messages.search("long")).map((result) => result.snippet));
	for (const row of crossed) expect(Buffer.byteLength(JSON.stringify(row))).toBeLessThan(MAX_RESULT_BYTES);
});

test("[ST150] what was committed before a search is found, commits go on while it runs, and its connection cannot write", async () => {
	const { say, store, thread } = openSearched();
	say("apple one");
	const searching = store.messages.search("apple");
	say("pear");
	expect(await searching).toHaveLength(1);
	expect(await store.messages.search("pear")).toHaveLength(1);
	await expect(thread.all("DELETE FROM messages RETURNING id")).rejects.toThrow("readonly");
});

test("[ST150] damage that the thread meets is told", async () => {
	const { say, sql } = openSearched();
	say("apple");
	const told: unknown[] = [];
	const damage = Object.assign(new Error("database disk image is malformed"), { errcode: 11 });
	const index = indexWith(
		{ sql },
		findOnThread({ run: () => Promise.reject(damage) }, (error) => told.push(error)),
	);
	await expect(index.search("apple")).rejects.toThrow("malformed");
	expect(told).toEqual([damage]);
});

test("[ST151] a search goes back step by step until it has enough or its time is over", async () => {
	const { say, sql, thread } = openSearched();
	for (let n = 1; n <= 9; n++) say(`apple ${n}`);
	const clock = createFakeClock();
	const find = findOnThread(thread, () => undefined);
	const asked: unknown[][] = [];
	const counted: FindRows = (request) => {
		if (request.values.length > 2) asked.push(request.values.slice(1, 3));
		return find(request);
	};
	const snippets = async (limit: number, findRows: FindRows) =>
		(await indexWith({ sql }, findRows, clock).search("apple", limit, 4)).map((result) => result.snippet).sort();
	expect(await snippets(50, counted)).toEqual(Array.from({ length: 9 }, (_, n) => `apple ${n + 1}`));
	expect(asked.splice(0)).toEqual([
		[5, 9],
		[1, 5],
		[-3, 1],
	]);
	expect(await snippets(3, counted)).toEqual(["apple 7", "apple 8", "apple 9"]);
	expect(asked.splice(0)).toEqual([[5, 9]]);
	const slow: FindRows = async (request) => {
		const rows = await counted(request);
		if (request.values.length > 2) await clock.advance(SEARCH_BUDGET_MS);
		return rows;
	};
	expect(await snippets(50, slow)).toEqual(["apple 6", "apple 7", "apple 8", "apple 9"]);
	const spent = await find({
		sql: "SELECT key FROM messages",
		values: [],
		textSql: "SELECT '' AS content WHERE ? > 0",
		phrases: [],
		budgetMs: -1,
	});
	expect(spent).toHaveLength(1);
});

test("[ST152] searches that wait are bounded, and there is room again when they are done", async () => {
	const opened = openChat();
	const waiting: (() => void)[] = [];
	const index = indexWith(opened, () => new Promise((resolve) => waiting.push(() => resolve([]))));
	const searches = Array.from({ length: MAX_SEARCHES }, () => index.search("apple"));
	await expect(index.search("apple")).rejects.toMatchObject({ code: "storage-busy", retryable: true });
	for (const answer of waiting) answer();
	await Promise.all(searches);
	const again = index.search("apple");
	waiting.at(-1)?.();
	expect(await again).toEqual([]);
});
