import { expect, test } from "vitest";
import { safeName, threadOf } from "./incoming.ts";

test("[TG42] a file name from outside is its last part, without what paths and terminals understand", () => {
	const names = ["../../etc/passwd", "C:\\temp\\a.txt", "...", "a\u001b[31m.txt", ".env", "ok name.pdf", ""];
	expect(names.map(safeName)).toEqual(["passwd", "a.txt", "file", "a_[31m.txt", "env", "ok name.pdf", "file"]);
	expect(safeName(`${"x".repeat(300)}.txt`)).toHaveLength(120);
});

test("[TG68] General and a mere reply chain are no topics", () => {
	const chat = { id: -5, type: "supergroup" as const, title: "Team" };
	expect(threadOf({ chat, message_thread_id: 7, is_topic_message: true })).toEqual({ chatId: -5, threadId: 7 });
	expect(threadOf({ chat, message_thread_id: 1, is_topic_message: true })).toEqual({ chatId: -5 });
	expect(threadOf({ chat, message_thread_id: 7 })).toEqual({ chatId: -5 });
});
