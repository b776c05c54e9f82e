import { expect, test } from "vitest";
import { conversationId, execId, messageId, seq } from "../../core/kernel/ids.ts";
import type { CommandRow } from "../../core/ports/store.ts";
import { CHAT, openChat } from "../store-harness.ts";

test("[ST20] the log gives back the exact text after a position, oldest first, and forgets what need not be kept", async () => {
	const { store } = openChat();
	const frames = Array.from({ length: 5 }, (_, n) =>
		JSON.stringify({ type: "copilot:delta", data: { seq: n + 1, content: "字\u0000\ud800" } }),
	);
	for (const [n, frame] of frames.entries()) store.events.append(CHAT, seq(n + 1), frame);
	expect(store.events.after(CHAT, seq(2), 2)).toEqual([
		{ seq: 3, frame: frames[2] },
		{ seq: 4, frame: frames[3] },
	]);
	expect(store.events.firstSeq(CHAT)).toBe(1);
	await store.events.trim(CHAT, { events: 2, bytes: 10_000, outputOf: [] });
	expect(store.events.firstSeq(CHAT)).toBe(4);
	await store.events.trim(CHAT, { events: 0, bytes: 10_000, outputOf: [] });
	expect(store.events.firstSeq(CHAT)).toBeUndefined();
	expect(() => store.events.append(CHAT, seq(1), "{}")).not.toThrow();
	expect(() => store.events.append(CHAT, seq(1), "{}")).toThrow("UNIQUE");
	const gone = conversationId("gone");
	expect(() => store.events.append(gone, seq(1), "{}")).toThrow(expect.objectContaining({ code: "conversation-not-found" }));
});

test("[ST21] a turn that was begun and not ended is known", () => {
	const { store } = openChat();
	const turn = { conversationId: CHAT, messageId: messageId("m"), userMessageId: messageId("u"), startedAt: 5, firstSeq: seq(3) };
	store.turns.begin(turn);
	expect(store.turns.open()).toEqual([turn]);
	store.turns.end(CHAT);
	expect(store.turns.open()).toEqual([]);
});

test("[ST22] a command is known as running until it ended, by its id and by its sender's id", () => {
	const { store } = openChat();
	const command: CommandRow = {
		...{ execId: execId("x1"), conversationId: CHAT, command: "make 測試", cwd: "/src", origin: "telegram", clientMessageId: "c1" },
		...{ startedAt: 7, firstSeq: seq(2), endedAt: null, messageId: null },
	};
	store.commands.insert(command);
	expect(store.commands.running()).toEqual([command]);
	store.commands.end(execId("x1"), 9, messageId("m1"));
	const ended = { ...command, endedAt: 9, messageId: "m1" };
	expect(store.commands.running()).toEqual([]);
	expect(store.commands.find(execId("x1"))).toEqual(ended);
	expect(store.commands.findByClientId(CHAT, "c1")).toEqual(ended);
	expect(store.commands.findByClientId(CHAT, "c2")).toBeUndefined();
});

test("[ST23] an attachment is unused until a conversation has it", () => {
	const { store } = openChat();
	const file = { id: "f1", name: "圖.png", mimeType: "image/png", size: 3, path: "attachments/f1", createdAt: 10, conversationId: null };
	store.attachments.insert(file);
	expect(store.attachments.unused(10)).toEqual([]);
	expect(store.attachments.unused(11)).toEqual([file]);
	store.attachments.bind("f1", CHAT);
	expect(store.attachments.unused(11)).toEqual([]);
	expect(store.attachments.ofConversation(CHAT)).toEqual([{ ...file, conversationId: CHAT }]);
	store.attachments.delete("f1");
	expect(store.attachments.find("f1")).toBeUndefined();
});

test("[ST24] settings are kept until they are deleted", () => {
	const { store } = openChat();
	expect(store.settings.get("web.theme")).toBeUndefined();
	store.settings.set("web.theme", "dark");
	store.settings.set("web.theme", "light");
	expect(store.settings.get("web.theme")).toBe("light");
	store.settings.delete("web.theme");
	expect(store.settings.get("web.theme")).toBeUndefined();
});

test("[ST179] events are read within a bound in bytes, from the first on", () => {
	const { store } = openChat();
	for (let n = 1; n <= 50; n += 1) store.events.append(CHAT, seq(n), JSON.stringify({ text: "字".repeat(1_000) }));
	const size = Buffer.byteLength(store.events.after(CHAT, seq(0), 1)[0]?.frame ?? "");
	const read = (maxBytes: number) => store.events.after(CHAT, seq(10), 20, maxBytes).map((event) => event.seq);
	expect(read(3 * size)).toEqual([11, 12, 13]);
	expect(read(4 * size - 1)).toEqual([11, 12, 13]);
	expect(read(100 * size)).toHaveLength(20);
});
