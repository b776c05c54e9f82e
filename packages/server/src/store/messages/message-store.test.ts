import fc from "fast-check";
import { expect, test } from "vitest";
import { conversationId, type MessageId, messageId } from "../../core/kernel/ids.ts";
import { CHAT, openChat } from "../store-harness.ts";
import { MAX_REMOVED_MESSAGES } from "./message-writes.ts";

const contents = (messages: { content: string }[]) => messages.map((message) => message.content);

test("[ST15] a page holds the newest messages, oldest first, and the cursor leads to the page before", () => {
	const { store, say } = openChat();
	for (let n = 1; n <= 5; n++) say(`m${n}`);
	const newest = store.messages.page(CHAT, { limit: 2 });
	expect(contents(newest.messages)).toEqual(["m4", "m5"]);
	const middle = store.messages.page(CHAT, { limit: 2, before: messageId(newest.nextCursor ?? "") });
	expect(contents(middle.messages)).toEqual(["m2", "m3"]);
	const oldest = store.messages.page(CHAT, { limit: 2, before: messageId(middle.nextCursor ?? "") });
	expect(oldest).toEqual({ messages: [expect.objectContaining({ content: "m1" })] });
	expect(store.messages.page(CHAT, { limit: 2, before: messageId("unknown") })).toEqual({ messages: [] });
	expect(contents(Array.from(store.messages.iterate(CHAT), ({ message }) => message))).toEqual(["m1", "m2", "m3", "m4", "m5"]);
});

test("[ST15] a message comes back as it was stored", () => {
	const { store } = openChat();
	const metadata = { outcome: "completed", tools: [], parts: [{ kind: "text", messageId: "t", content: "字" }] };
	const stored = store.messages.addMessage(CHAT, { id: messageId("a1"), role: "assistant", content: "Answer", metadata, createdAt: 5 });
	expect(stored).toEqual({ id: "a1", role: "assistant", content: "Answer", metadata, createdAt: "1970-01-01T00:00:00.005Z" });
	expect(store.messages.find(CHAT, messageId("a1"))).toEqual(stored);
	expect(store.messages.find(conversationId("other"), messageId("a1"))).toBeUndefined();
});

test("[ST15] exports read any number of messages in pages", () => {
	const { store, say } = openChat();
	store.transaction(() => {
		for (let n = 0; n < 450; n++) say(`${n}`);
	});
	expect(contents(Array.from(store.messages.iterate(CHAT), ({ message }) => message))).toEqual(
		Array.from({ length: 450 }, (_, n) => `${n}`),
	);
});

test("[ST17] a client's message id names one message in its conversation, with the hash of what was sent", () => {
	const { store } = openChat();
	const sent = { role: "user", content: "hi", metadata: {}, clientMessageId: "c1", payloadHash: "h1" } as const;
	const message = store.messages.addMessage(CHAT, sent);
	expect(store.messages.findByClientId(CHAT, "c1")).toEqual({ message, payloadHash: "h1" });
	expect(store.messages.findByClientId(CHAT, "c2")).toBeUndefined();
	expect(() => store.messages.addMessage(CHAT, sent)).toThrow(expect.objectContaining({ code: "id-reused" }));
	expect(store.messages.page(CHAT, { limit: 9 }).messages).toHaveLength(1);
	expect(() => store.messages.addMessage(conversationId("none"), sent)).toThrow(
		expect.objectContaining({ code: "conversation-not-found" }),
	);
});

test("[ST18] U+0000 and halves of surrogate pairs are replaced before they are stored", () => {
	const { store } = openChat();
	const message = store.messages.addMessage(CHAT, {
		role: "user",
		content: "x\u0000y\ud800z",
		metadata: { command: "a\u0000b", list: ["\udc00", "fine 😀"] },
	});
	expect(message.content).toBe("x\uFFFDy\uFFFDz");
	expect(message.metadata).toEqual({ command: "a\uFFFDb", list: ["\uFFFD", "fine 😀"] });
	expect(store.messages.find(CHAT, messageId(message.id))).toEqual(message);
	store.settings.set("k", "v\u0000w");
	expect(store.settings.get("k")).toBe("v\uFFFDw");
});

test("[ST19] results that wait for the next prompt are found, oldest first, until they are used", () => {
	const { store, say } = openChat();
	const first = say("one", { context: "pending", bash: true });
	say("two", { context: "pending", bash: true });
	say("plain");
	expect(contents(store.messages.pendingContext(CHAT))).toEqual(["one", "two"]);
	store.messages.update(CHAT, messageId(first.id), { metadata: { ...first.metadata, context: "used" } });
	expect(contents(store.messages.pendingContext(CHAT))).toEqual(["two"]);
	expect(() => store.messages.update(CHAT, messageId("gone"), { content: "x" })).toThrow(
		expect.objectContaining({ code: "message-not-found" }),
	);
});

test("[ST16] conversations with queued prompts are known", () => {
	const { store, say } = openChat();
	expect(store.messages.conversationsWithQueue()).toEqual([]);
	const prompt = say("later", { delivery: "queued" });
	say("later still", { delivery: "queued" });
	expect(store.messages.conversationsWithQueue()).toEqual([CHAT]);
	store.messages.delete(CHAT, messageId(prompt.id));
	expect(contents(store.messages.queued(CHAT))).toEqual(["later still"]);
});

type Step = { kind: "add" | "queue" } | { kind: "take" | "requeue" | "delete"; at: number } | { kind: "order"; keys: number[] };

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ kind: fc.constantFrom("add" as const, "queue" as const) }),
	fc.record({ kind: fc.constantFrom("take" as const, "requeue" as const, "delete" as const), at: fc.nat() }),
	fc.record({ kind: fc.constant("order" as const), keys: fc.array(fc.nat({ max: 9 }), { maxLength: 6 }) }),
);

test("[ST16] whatever is added, queued, taken, moved and deleted: the order is that of two plain lists", () => {
	fc.assert(
		fc.property(fc.array(step, { maxLength: 60, size: "max" }), (steps) => {
			const { store, say } = openChat();
			const model: { sent: MessageId[]; queue: MessageId[] } = { sent: [], queue: [] };
			const pick = (list: MessageId[], at: number) => list[at % Math.max(1, list.length)];
			const remove = (list: MessageId[], id: MessageId) => list.filter((other) => other !== id);
			for (const action of steps) {
				switch (action.kind) {
					case "add":
						model.sent.push(messageId(say("x").id));
						break;
					case "queue":
						model.queue.push(messageId(say("x", { delivery: "queued" }).id));
						break;
					case "take": {
						const id = pick(model.queue, action.at);
						if (id === undefined) break;
						store.messages.update(CHAT, id, { metadata: { delivery: "taken" } });
						model.queue = remove(model.queue, id);
						model.sent.push(id);
						break;
					}
					case "requeue": {
						const id = pick(model.sent, action.at);
						if (id === undefined) break;
						store.messages.update(CHAT, id, { metadata: { delivery: "queued" } });
						model.sent = remove(model.sent, id);
						model.queue.push(id);
						break;
					}
					case "delete": {
						const id = pick([...model.sent, ...model.queue], action.at);
						if (id === undefined) break;
						store.messages.delete(CHAT, id);
						model.sent = remove(model.sent, id);
						model.queue = remove(model.queue, id);
						break;
					}
					case "order": {
						const named = [...new Set(action.keys.map((key) => pick(model.queue, key)).filter((id) => id !== undefined))];
						store.messages.orderQueue(CHAT, [...named, messageId("unknown")]);
						model.queue = [...named, ...model.queue.filter((id) => !named.includes(id))];
						break;
					}
				}
			}
			const ids = (messages: { id: string }[]) => messages.map((message) => message.id);
			expect(ids(store.messages.queued(CHAT))).toEqual(model.queue);
			expect(ids(store.messages.page(CHAT, { limit: 99 }).messages)).toEqual(model.sent);
			expect(ids(store.messages.page(CHAT, { limit: 99, withQueued: true }).messages)).toEqual([...model.sent, ...model.queue]);
			expect(ids(Array.from(store.messages.iterate(CHAT), ({ message }) => message))).toEqual([...model.sent, ...model.queue]);
		}),
		{ numRuns: 150 },
	);
});

test("[CV107] the client ids of removed messages stay known, the newest of them, and go with their conversation", async () => {
	const { store, sql } = openChat();
	const add = (clientMessageId: string) => {
		const { id } = store.messages.addMessage(CHAT, { role: "user", content: "x", metadata: {}, clientMessageId, payloadHash: "h" });
		store.messages.delete(CHAT, messageId(id));
		return id;
	};
	store.transaction(() => {
		for (let n = 0; n <= MAX_REMOVED_MESSAGES; n++) add(`c${n}`);
	});
	expect(store.messages.findRemoved(CHAT, "c0")).toBeUndefined();
	expect(store.messages.findRemoved(CHAT, "c1")).toMatchObject({ payloadHash: "h" });
	expect(store.messages.findRemoved(conversationId("other"), "c1")).toBeUndefined();
	store.conversations.delete(CHAT);
	await expect.poll(() => sql.prepare("SELECT count(*) AS n FROM removed_messages").get()).toEqual({ n: 0 });
});

test("[ST107] a page ends at its bound in bytes, has at least one message, and the next page goes on without a gap", () => {
	const { store } = openChat();
	for (const [index, size] of [10, 10, 900, 10, 10].entries()) {
		store.messages.addMessage(CHAT, { id: messageId(`m${index}`), role: "user", content: "字".repeat(size), metadata: {} });
	}
	const ids = (before?: string) => {
		const page = store.messages.page(CHAT, { limit: 10, maxBytes: 1_000, ...(before === undefined ? {} : { before: messageId(before) }) });
		return [page.messages.map((message) => message.id), page.nextCursor];
	};
	expect(ids()).toEqual([["m3", "m4"], "m3"]);
	expect(ids("m3")).toEqual([["m2"], "m2"]);
	expect(ids("m2")).toEqual([["m0", "m1"], undefined]);
});
