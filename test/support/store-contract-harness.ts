import { describe, expect, test } from "vitest";
import { conversationId, epoch, execId, messageId, seq } from "../../packages/server/src/core/kernel/ids.ts";
import type { ConversationRow, Store } from "../../packages/server/src/core/ports/store.ts";
import { conversationRow } from "./conversation-row.ts";

export interface StoreSubject {
	readonly store: Store;
	close(): Promise<void>;
}

const here = conversationId("here");
const there = conversationId("there");

const conversation = (id = here, fields: Partial<ConversationRow> = {}) =>
	conversationRow(id, { title: "Tides", epoch: epoch("e1"), createdAt: 1, updatedAt: 1, ...fields });
const ids = (messages: readonly { id: string }[]) => messages.map(({ id }) => id);

/** What every `Store` promises to core, wherever it keeps things. */
export function describeStoreContract(name: string, open: () => Promise<StoreSubject>): void {
	function contract(promise: string, check: (store: Store) => void | Promise<void>): void {
		test(`[ST178] ${promise}`, async () => {
			const { store, close } = await open();
			try {
				store.conversations.insert(conversation());
				await check(store);
			} finally {
				await close();
			}
		});
	}
	const say = (store: Store, id: string, metadata: object = { origin: "web" }) =>
		store.messages.addMessage(here, { id: messageId(id), role: "user", content: `text of ${id}`, metadata, createdAt: 5 });

	describe(name, () => {
		contract("a transaction is kept whole or not at all, and its callbacks run when it is durable, or never", async (store) => {
			const ran: string[] = [];
			expect(() =>
				store.transaction(() => {
					say(store, "lost");
					store.afterCommit(() => ran.push("lost"));
					throw new RangeError("no");
				}),
			).toThrow("no");
			store.transaction(() => {
				say(store, "kept");
				store.afterCommit(() => ran.push("first"));
				store.transaction(() => store.afterCommit(() => ran.push("second")));
				expect(ran).toEqual([]);
			});
			await store.durable();
			expect(ran).toEqual(["first", "second"]);
			expect(ids(store.messages.page(here, { limit: 9 }).messages)).toEqual(["kept"]);
		});

		contract("a nested transaction takes back only its own part", (store) => {
			store.transaction(() => {
				say(store, "outer");
				expect(() =>
					store.transaction(() => {
						say(store, "inner");
						throw new RangeError("no");
					}),
				).toThrow("no");
			});
			expect(ids(store.messages.page(here, { limit: 9 }).messages)).toEqual(["outer"]);
		});

		contract("a conversation is found, changed where it is said, listed pinned and newest first, and deleted with all it has", (store) => {
			store.conversations.insert(conversation(there, { updatedAt: 2 }));
			store.conversations.update(here, { title: "Moon", pinned: true });
			expect(store.conversations.find(here)).toEqual(conversation(here, { title: "Moon", pinned: true }));
			const first = store.conversations.list({ limit: 1 });
			expect(ids(first.rows)).toEqual([here]);
			expect(ids(store.conversations.list({ limit: 1, cursor: first.nextCursor ?? "" }).rows)).toEqual([there]);
			store.conversations.replaceEpochs(() => epoch("e2"));
			expect(store.conversations.find(there)?.epoch).toBe("e2");
			say(store, "m1");
			store.events.append(here, seq(1), "{}");
			expect([store.conversations.delete(here), store.conversations.delete(here)]).toEqual([true, false]);
			expect(store.conversations.find(here)).toBeUndefined();
			expect(store.messages.find(here, messageId("m1"))).toBeUndefined();
			expect(store.events.firstSeq(here)).toBeUndefined();
			expect(() => store.conversations.update(here, { title: "x" })).toThrow(expect.objectContaining({ code: "conversation-not-found" }));
			expect(() => say(store, "m2")).toThrow(expect.objectContaining({ code: "conversation-not-found" }));
		});

		contract("messages come back as they were stored, in pages, the newest page first", (store) => {
			for (const id of ["m1", "m2", "m3"]) say(store, id);
			expect(store.messages.find(here, messageId("m1"))).toEqual({
				...{ id: "m1", role: "user", content: "text of m1" },
				...{ metadata: { origin: "web" }, createdAt: "1970-01-01T00:00:00.005Z" },
			});
			const page = store.messages.page(here, { limit: 2 });
			expect([ids(page.messages), page.nextCursor]).toEqual([["m2", "m3"], "m2"]);
			expect(ids(store.messages.page(here, { limit: 2, before: messageId("m2") }).messages)).toEqual(["m1"]);
			expect(store.messages.page(here, { limit: 2, before: messageId("unknown") })).toEqual({ messages: [] });
			expect(ids(Array.from(store.messages.iterate(here), ({ message }) => message))).toEqual(["m1", "m2", "m3"]);
			expect(() => say(store, "m1")).toThrow(expect.objectContaining({ code: "id-reused" }));
		});

		contract("queued prompts stay last and in their order, and are moved, edited, taken up and dropped", (store) => {
			const queue = (id: string) =>
				store.messages.addMessage(here, {
					id: messageId(id),
					role: "user",
					content: id,
					metadata: { delivery: "queued" },
					clientMessageId: id,
				});
			for (const id of ["q1", "q2", "q3"]) queue(id);
			say(store, "m1");
			store.messages.orderQueue(here, [messageId("q3")]);
			expect(ids(store.messages.queued(here))).toEqual(["q3", "q1", "q2"]);
			store.messages.update(here, messageId("q1"), { content: "edited" });
			store.messages.update(here, messageId("q3"), { metadata: { delivery: "taken" } });
			store.messages.delete(here, messageId("q2"));
			expect(ids(store.messages.page(here, { limit: 9 }).messages)).toEqual(["m1", "q3"]);
			expect(ids(store.messages.page(here, { limit: 9, withQueued: true }).messages)).toEqual(["m1", "q3", "q1"]);
			expect(store.messages.queued(here)).toMatchObject([{ content: "edited" }]);
			expect(store.messages.conversationsWithQueue()).toEqual([here]);
			expect(store.messages.findByClientId(here, "q2")).toBeUndefined();
			expect(store.messages.findRemoved(here, "q2")).toMatchObject({ messageId: "q2" });
		});

		contract("an answer of any size is whole when it is opened, and bounded in a page", (store) => {
			const content = "長 ".repeat(400_000);
			const tool = { toolCallId: "c1", toolName: "Write", arguments: { content: "x".repeat(90_000) }, success: true, result: "ok" };
			const parts = [
				{ kind: "tool", toolCallId: "c1" },
				{ kind: "text", messageId: "t1", content },
			];
			const metadata = { outcome: "completed", tools: [tool], parts };
			const added = store.messages.addMessage(here, { id: messageId("a1"), role: "assistant", content, metadata });
			expect(added.truncated).toEqual({ content: content.length });
			expect(JSON.stringify(store.messages.page(here, { limit: 1 })).length).toBeLessThan(600_000);
			const { answer } = store.messages.open(here, messageId("a1")) ?? {};
			expect([...(answer?.content() ?? [])].join("")).toBe(content);
			expect([...(answer?.parts.at(-1)?.text() ?? [])].join("")).toBe(content);
			expect(store.messages.findTool(here, messageId("a1"), "c1")).toEqual(tool);
			expect(store.messages.findTool(here, messageId("a1"), "c2")).toBeUndefined();
		});

		contract("a search finds what was said and what a conversation is called", async (store) => {
			say(store, "m1");
			store.messages.addMessage(here, { id: messageId("m2"), role: "user", content: "the moon 海水 pulls", metadata: {} });
			await store.durable();
			expect((await store.messages.search("海水")).map((result) => result.messageId)).toEqual(["m2"]);
			expect(await store.messages.search("tide")).toHaveLength(1);
			expect(await store.messages.search("nothing of it")).toEqual([]);
		});

		contract("the log gives back the exact text after a position, and keeps what it is told when it is trimmed", async (store) => {
			const frames = Array.from({ length: 5 }, (_, n) => `{"n":${n + 1},"text":"字"}`);
			for (const [n, frame] of frames.entries()) store.events.append(here, seq(n + 1), frame);
			expect(store.events.after(here, seq(3), 9)).toEqual([
				{ seq: 4, frame: frames[3] },
				{ seq: 5, frame: frames[4] },
			]);
			const bytes = Buffer.byteLength(frames[0] ?? "");
			expect(store.events.after(here, seq(0), 9, 2 * bytes)).toHaveLength(2);
			expect(store.events.after(here, seq(0), 9, bytes - 1)).toEqual([]);
			await store.durable();
			await store.events.trim(here, { events: 1, bytes: 1_000, from: seq(4), outputOf: [] });
			expect(store.events.firstSeq(here)).toBe(4);
			expect(await store.events.quietSince(100, 9)).toEqual([here]);
			await store.events.trim(here, { events: 0, bytes: 0, outputOf: [] });
			expect(store.events.firstSeq(here)).toBeUndefined();
			expect(await store.events.quietSince(100, 9)).toEqual([]);
		});

		contract("open turns and running commands are known until they end", (store) => {
			const turn = { conversationId: here, messageId: messageId("a1"), userMessageId: messageId("u1"), startedAt: 5, firstSeq: seq(1) };
			store.turns.begin(turn);
			expect(store.turns.open()).toEqual([turn]);
			store.turns.end(here);
			expect(store.turns.open()).toEqual([]);
			const ran = { execId: execId("x1"), conversationId: here, command: "ls", cwd: "/", origin: "web", clientMessageId: "c1" } as const;
			store.commands.insert({ ...ran, startedAt: 5, firstSeq: seq(1), endedAt: null, messageId: null });
			expect(store.commands.running()).toMatchObject([ran]);
			store.commands.end(execId("x1"), 9, messageId("m1"));
			expect(store.commands.running()).toEqual([]);
			expect(store.commands.findByClientId(here, "c1")).toMatchObject({ endedAt: 9, messageId: "m1" });
		});

		contract("attachments count as unused until a conversation has them, settings stay until they are deleted", (store) => {
			const file = { id: "f1", name: "a.txt", mimeType: "text/plain", size: 3, path: "p", createdAt: 5, conversationId: null };
			store.attachments.insert(file);
			expect(store.attachments.unused(6)).toEqual([file]);
			store.attachments.bind("f1", here);
			expect([store.attachments.unused(6), ids(store.attachments.ofConversation(here))]).toEqual([[], ["f1"]]);
			store.attachments.delete("f1");
			expect(store.attachments.find("f1")).toBeUndefined();
			store.settings.set("k", "v");
			expect(store.settings.get("k")).toBe("v");
			store.settings.delete("k");
			expect(store.settings.get("k")).toBeUndefined();
		});
	});
}
