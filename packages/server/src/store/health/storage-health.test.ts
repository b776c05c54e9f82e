import { expect, test } from "vitest";
import { CHAT, openChat, temporaryHome, zeroPageWith } from "../store-harness.ts";
import { PROBE_INTERVAL_MS, type StorageHealth } from "./storage-health.ts";

/** A store on a disk without space: SQLite refuses to grow the file, with the error of a full disk. */
function openFull() {
	const opened = openChat(temporaryHome());
	opened.say("stored before");
	const seen: StorageHealth[] = [];
	opened.onHealth((health) => seen.push(health));
	opened.sql.exec("PRAGMA max_page_count = 1");
	const fill = () =>
		opened.store.transaction(() => {
			opened.store.afterCommit(() => seen.push({ state: "ok", message: "never committed" }));
			opened.say("x".repeat(100_000));
		});
	return { ...opened, seen, fill, free: () => opened.sql.prepare("PRAGMA max_page_count = 1000000").get() };
}

test("[ST37] a full disk makes the storage read-only: writes fail with the reason, reads go on", async () => {
	const { store, say, fill, health, seen } = openFull();
	expect(fill).toThrow(
		expect.objectContaining({ code: "storage-read-only", retryable: true, message: expect.stringContaining("disk is full") }),
	);
	expect(seen).toEqual([
		{ state: "read-only", message: expect.stringContaining("disk is full"), code: "storage-read-only", params: { reason: "full" } },
	]);
	expect(health()).toEqual(seen[0]);
	expect(() => say("small")).toThrow(expect.objectContaining({ code: "storage-read-only" }));
	expect(() => store.conversations.update(CHAT, { title: "x" })).toThrow(expect.objectContaining({ code: "storage-read-only" }));
	const contents = store.transaction(() => store.messages.page(CHAT, { limit: 5 }).messages.map((message) => message.content));
	expect(contents).toEqual(["stored before"]);
	expect(await store.messages.search("stored")).toHaveLength(1);
});

test("[ST221] when there is space again that is noticed and told, and writing goes on", async () => {
	const { say, fill, health, seen, clock, free } = openFull();
	expect(fill).toThrow("disk is full");
	await clock.advance(PROBE_INTERVAL_MS * 3);
	expect(health().state).toBe("read-only");
	free();
	await clock.advance(PROBE_INTERVAL_MS);
	expect(seen.map((one) => one.state)).toEqual(["read-only", "ok"]);
	expect(health()).toEqual({ state: "ok" });
	expect(say("after").content).toBe("after");
});

test("[ST45] damage found while running stops all writing until a restart, and says what to do", async () => {
	const { path } = temporaryHome();
	const before = openChat({ path });
	before.store.transaction(() => {
		for (let n = 0; n < 500; n++) before.say(`text ${n} `.repeat(20));
	});
	await before.close();
	const { store, say, health, clock } = openChat({ path });
	zeroPageWith(path, "text 250 text 250");

	expect(() => store.messages.page(CHAT, { limit: 500 })).toThrow("malformed");
	await clock.advance(PROBE_INTERVAL_MS * 2);
	expect(health()).toMatchObject({ state: "damaged", message: expect.stringContaining("Restart Rightseat") });
	expect(() => say("x")).toThrow(expect.objectContaining({ code: "storage-read-only", retryable: false }));
	expect(store.messages.page(CHAT, { limit: 1 }).messages).toHaveLength(1);
});
