import { expect, test } from "vitest";
import { conversationId, epoch, execId, messageId, seq } from "../../core/kernel/ids.ts";
import { CHAT, conversationRow, openChat, openTestStore } from "../store-harness.ts";

test("[ST12] a conversation comes back as it was kept, and an update changes only what it names", () => {
	const { store } = openTestStore();
	const row = conversationRow(CHAT, {
		title: "計畫",
		pinned: true,
		permissions: "ask",
		sdkSessionId: "s1",
		status: "error",
		headSeq: seq(7),
	});
	store.conversations.insert(row);
	expect(store.conversations.find(CHAT)).toEqual(row);
	store.conversations.update(CHAT, { title: "New", archived: true, sdkSessionId: null });
	expect(store.conversations.find(CHAT)).toEqual({ ...row, title: "New", archived: true, sdkSessionId: null });
	store.conversations.update(CHAT, {});
	expect(store.conversations.find(conversationId("other"))).toBeUndefined();
	expect(() => store.conversations.update(conversationId("other"), { title: "x" })).toThrow("no longer exists");
});

test("[ST575] a log that grows says where it stood, and nothing else of its conversation changes; one that is gone has no log", () => {
	const { store } = openTestStore();
	const row = conversationRow(CHAT, { epoch: epoch("e7"), headSeq: seq(7), updatedAt: 5 });
	store.conversations.insert(row);
	store.conversations.insert(conversationRow(conversationId("beside")));
	expect([store.conversations.advance(CHAT, 3), store.conversations.advance(CHAT, 1)]).toEqual([
		{ epoch: "e7", headSeq: 7 },
		{ epoch: "e7", headSeq: 10 },
	]);
	expect(store.conversations.find(CHAT)).toEqual({ ...row, headSeq: 11 });
	expect(store.conversations.find(conversationId("beside"))?.headSeq).toBe(0);
	expect(store.conversations.advance(conversationId("other"), 1)).toBeUndefined();
	const refused = () =>
		store.transaction(() => {
			store.conversations.advance(CHAT, 5);
			throw new Error("no");
		});
	expect(refused).toThrow("no");
	expect(store.conversations.find(CHAT)?.headSeq).toBe(11);
});

test("[ST13] the list has pinned ones first, then the newest activity, and goes on from a cursor", () => {
	const { store } = openTestStore();
	for (const [name, updatedAt, pinned] of [
		["a", 10, false],
		["b", 30, false],
		["c", 20, true],
		["d", 30, false],
		["e", 5, true],
	] as const) {
		store.conversations.insert(conversationRow(conversationId(name), { updatedAt, pinned, archived: name === "a" }));
	}
	const read = (archived?: boolean) => {
		const names: string[] = [];
		let cursor: string | undefined;
		do {
			const page = store.conversations.list({
				limit: 2,
				...(cursor === undefined ? {} : { cursor }),
				...(archived === undefined ? {} : { archived }),
			});
			names.push(...page.rows.map((row) => row.id));
			cursor = page.nextCursor;
		} while (cursor !== undefined);
		return names.join("");
	};
	expect(read()).toBe("cedba");
	expect(read(false)).toBe("cedb");
	expect(read(true)).toBe("a");
	for (const cursor of ["nonsense", "W10", "e30"]) expect(() => store.conversations.list({ limit: 2, cursor })).toThrow("cursor");
});

test("[ST14] deleting a conversation removes all that belongs to it, and its attachments count as unused", async () => {
	const { store, sql, say } = openChat();
	say("findable text");
	store.events.append(CHAT, seq(1), "{}");
	store.turns.begin({ conversationId: CHAT, messageId: messageId("m"), userMessageId: messageId("u"), startedAt: 1, firstSeq: seq(1) });
	store.commands.insert({
		...{ execId: execId("x"), conversationId: CHAT, command: "ls", cwd: "/", origin: "web", clientMessageId: null },
		...{ startedAt: 1, firstSeq: seq(1), endedAt: null, messageId: null },
	});
	store.attachments.insert({ id: "f", name: "n", mimeType: "t", size: 1, path: "p", createdAt: 1, conversationId: CHAT });

	expect(store.conversations.delete(CHAT)).toBe(true);
	expect(store.conversations.delete(CHAT)).toBe(false);
	for (const table of ["conversations", "messages", "events", "open_turns", "commands"]) {
		expect(sql.prepare(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 0 });
	}
	expect(await store.messages.search("findable")).toEqual([]);
	expect(await store.messages.search("conversation")).toEqual([]);
	expect(store.attachments.unused(2).map((row) => row.id)).toEqual(["f"]);
});

test("[ST36] all epochs can be replaced", () => {
	const { store } = openTestStore();
	for (const name of ["a", "b"]) store.conversations.insert(conversationRow(conversationId(name)));
	let count = 0;
	store.conversations.replaceEpochs(() => epoch(`new-${++count}`));
	expect(["a", "b"].map((name) => store.conversations.find(conversationId(name))?.epoch)).toEqual(["new-1", "new-2"]);
});
