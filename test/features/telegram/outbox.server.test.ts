import { afterEach, expect, test } from "vitest";
import { ANN, BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG28] a wait that Telegram orders holds this chat only, and then the newest text goes out once", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [ANN.id, BOB.id] } });
	const turn = await bed.ask("work");
	await bed.advance(2_000);
	const bob = bed.api.private(BOB);
	bed.api.fault("editMessageText", { code: 429, retryAfter: 7, chatId: ANN.id });
	turn.text("first ");
	await bed.advance(1_500);
	const refusedAt = bed.api.callsOf("editMessageText").find((call) => call.code === 429)?.at ?? 0;
	turn.text("second ");
	bob.text("/help");
	await bed.advance(3_000);
	expect(bed.api.fromBot(BOB.id)).toHaveLength(1);
	turn.text("third");
	await bed.advance(4_000);
	const later = bed.api.callsOf("editMessageText").filter((call) => call.at > refusedAt);
	expect(later[0]?.at).toBeGreaterThanOrEqual(refusedAt + 7_000);
	expect(later[0]?.params.text).toContain("first second third");
	turn.end();
	await bed.tick();
	expect(bed.said().map((message) => message.text)).toEqual(["first second third"]);
});

test("[TG28] an answer that must wait is sent once when the time is over", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	bed.api.fault("sendMessage", { code: 429, retryAfter: 33 });
	turn.text("the answer");
	turn.end();
	await bed.advance(32_000, 1_000);
	expect(bed.said()).toEqual([]);
	await bed.advance(2_000);
	expect(bed.said().map((message) => message.text)).toEqual(["the answer"]);
});

test("[TG29] “not modified” is success; a status message that was deleted is replaced once", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	await bed.advance(2_000);
	bed.api.fault("editMessageText", { code: 400, description: "Bad Request: message is not modified" });
	turn.text("a ");
	await bed.advance(2_000);
	expect(bed.log.filter((line) => line.level !== "info")).toEqual([]);
	const status = bed.last();
	status.deletedAt = bed.clock.now();
	turn.text("b ");
	await bed.advance(2_000);
	expect(bed.last()).not.toBe(status);
	turn.text("c ");
	await bed.advance(2_000);
	expect(bed.last().text).toContain("a b c");
	bed.last().deletedAt = bed.clock.now();
	turn.text("d ");
	await bed.advance(3_000);
	expect(bed.said()).toEqual([]);
	turn.end();
	await bed.tick();
	expect(bed.said().map((message) => message.text)).toEqual(["a b c d"]);
});

test("[TG30] refused formatting is sent once more as plain text", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	bed.api.fault("sendMessage", { code: 400, description: "Bad Request: can't parse entities: unsupported" });
	turn.text("Use **bold** and `code_x`.");
	turn.end();
	await bed.tick();
	expect(bed.said()).toMatchObject([{ text: "Use bold and code_x.", entities: [] }]);
	expect(bed.log.filter((line) => line.level === "warn")).toHaveLength(1);
});

test("[TG31] a message whose response was lost is not sent again; a button sends it again when the person wants it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	bed.api.fault("sendMessage", { dropAfter: true });
	turn.text("only once");
	turn.end();
	await bed.advance(60_000, 2_000);
	expect(bed.said().map((message) => message.text)).toEqual([
		"only once",
		"⚠️ My last message may not have arrived: Telegram did not confirm it.",
	]);

	const second = await bed.ask("again");
	bed.api.fault("sendMessage", { dropBefore: true });
	second.text("this one got lost");
	second.end();
	await bed.tick();
	expect(bed.said().map((message) => message.text)).not.toContain("this one got lost");
	bed.ann.tap(bed.last(), "Send it again");
	await bed.tick();
	expect(bed.last().text).toBe("this one got lost");
	await bed.advance(5_000);
	expect(bed.said().filter((message) => message.text === "this one got lost")).toHaveLength(1);
});

test("[TG32] an answer that was committed when the process died is delivered by the next one, once", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	bed.api.fault("sendMessage", { code: 429, retryAfter: 60 });
	turn.text("survives");
	turn.end();
	await bed.tick();
	expect(bed.said()).toEqual([]);
	bed = await bed.crash();
	await bed.advance(1_000);
	expect(bed.said().map((message) => message.text)).toEqual(["survives"]);
	bed = await bed.crash();
	await bed.advance(1_000);
	expect(bed.said().map((message) => message.text)).toEqual(["survives"]);
});

test("[TG32] a turn that a crash cut off is told with the text that was shown, and its status message goes", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	turn.text("half of it");
	await bed.advance(2_000);
	const status = bed.last();
	bed = await bed.crash();
	await bed.tick();
	expect(status.deletedAt).toBeDefined();
	expect(bed.said()).toHaveLength(1);
	expect(bed.last().text).toBe("half of it\n\n⚠️ The server stopped while this answer was being written. Send “Continue” to go on.");
});

test("[TG33] a person who blocked the bot gets nothing, the turn goes on, and writing again brings the bot back", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	const chat = bed.api.world.chats.get(ANN.id);
	if (chat === undefined) throw new Error("the chat exists");
	chat.blocked = true;
	turn.text("unseen");
	turn.end();
	await bed.tick();
	const calls = bed.api.callsOf("sendMessage").length;
	bed.conversations.prompt({ conversationId: bed.conversation(), prompt: "from the page", origin: "web" });
	const second = await bed.nextTurn();
	second.text("also unseen");
	second.end();
	await bed.advance(3_000);
	expect(bed.api.callsOf("sendMessage")).toHaveLength(calls);
	expect(bed.conversations.messages(bed.conversation(), { limit: 9 }).messages.at(-1)?.content).toBe("also unseen");
	chat.blocked = false;
	const third = await bed.ask("back");
	third.text("welcome back");
	third.end();
	await bed.tick();
	expect(bed.last().text).toBe("welcome back");
});

test("[TG34] a group that became a supergroup keeps its conversation under the new id", async () => {
	bed = await createTelegramBed({ config: { groups: true } });
	const { bigger, turn } = await bed.growingGroup();
	const id = bed.conversation();
	turn.text("answer");
	turn.end();
	await bed.tick();
	expect(bed.api.fromBot(bigger.id).map((message) => message.text)).toEqual(["answer"]);
	bed.api.in(ANN, bigger).text("@rightseat_bot more");
	const next = await bed.nextTurn();
	expect(next.sessionId).toBe(turn.sessionId);
	expect(bed.conversation()).toBe(id);
	next.end();
});

test("[TG68] a forum topic is a conversation of its own, and a deleted topic's answer goes to the group itself", async () => {
	bed = await createTelegramBed({ config: { groups: true } });
	const forum = bed.api.group(-100700, "Forum", true);
	bed.api.in(ANN, forum, 71).text("@rightseat_bot in topic one");
	const one = await bed.nextTurn();
	bed.api.in(ANN, forum, 72).text("@rightseat_bot in topic two");
	const two = await bed.nextTurn();
	expect(one.sessionId).not.toBe(two.sessionId);
	one.text("answer one");
	one.end();
	await bed.tick();
	expect(bed.last(forum.id)).toMatchObject({ text: "answer one", threadId: 71 });
	forum.topics.delete(72);
	two.text("answer two");
	two.end();
	await bed.tick();
	expect(bed.last(forum.id)).toMatchObject({ text: "answer two", threadId: undefined });
});

test("[TG38] every message goes out without link previews and without a parse mode", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("work");
	turn.text("see https://evil.example/?k=SECRET");
	await bed.advance(2_000);
	turn.text(" and more");
	await bed.advance(2_000);
	turn.end();
	await bed.tick();
	bed.ann.text("/help");
	await bed.tick();
	const texts = bed.api.calls.filter((call) => call.method === "sendMessage" || call.method === "editMessageText");
	expect(texts.length).toBeGreaterThan(3);
	for (const { params } of texts) expect(params).toMatchObject({ link_preview_options: { is_disabled: true } });
	for (const { params } of bed.api.calls) expect(params).not.toHaveProperty("parse_mode");
});

test("[TG39] bot tokens and other secrets are taken out of everything that is sent and logged", async () => {
	bed = await createTelegramBed({ redact: (text) => text.replaceAll("hunter2", "[secret]").replaceAll(bed.api.token, "[redacted]") });
	const turn = await bed.ask("work");
	turn.emit({ kind: "tool-start", toolCallId: "t", toolName: "Bash", arguments: { command: `echo hunter2 ${bed.api.token}` } });
	await bed.advance(1_500);
	expect(bed.last().text).toContain("▸ Bash: echo [secret] [redacted]");
	turn.text(`The password is hunter2, the token ${bed.api.token}.`);
	turn.end();
	await bed.tick();
	expect(bed.last().text).toBe("The password is [secret], the token [redacted].");
	bed.ann.text("!env");
	await bed.tick();
	bed.shell.commands[0]?.output("PASSWORD=hunter2\n");
	await bed.tick();
	bed.shell.commands[0]?.finish();
	await bed.tick();
	expect(bed.last().text).toContain("PASSWORD=[secret]");
	expect(JSON.stringify(bed.log)).not.toContain(bed.api.token);
});

test("[TG37] an answer of more than three messages is a preview and a file with every byte of it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("write a book");
	const book = Array.from({ length: 900 }, (_, line) => `Line ${line} of a **long** answer that goes on and on and on.`).join("\n");
	turn.text(book);
	turn.end();
	await bed.tick();
	const [preview, file] = bed.said();
	expect(bed.said()).toHaveLength(2);
	expect(preview?.text.length).toBeLessThanOrEqual(3_500);
	expect(file?.media?.filename).toBe("answer.md");
	expect(Buffer.from(file?.media?.bytes ?? []).toString()).toBe(book);
	expect(file?.text.length).toBeLessThanOrEqual(1_024);
});

test("[TG37] so is one of which the page shows only the beginning", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("go on and on");
	turn.text(`${"word ".repeat(240_000)}end`);
	turn.end();
	await bed.advance(10_000, 1_000);
	const file = bed.said().find(({ media }) => media !== undefined);
	expect(file?.media?.bytes.length).toBe(1_200_003);
	expect(file?.text).toContain("1,200,003 characters");
});

test("[TG228] long output of a command comes with a file; a diff has its own name", async () => {
	bed = await createTelegramBed();
	bed.ann.text("!git diff");
	await bed.tick();
	const diff = `diff --git a/x b/x\n--- a/x\n+++ b/x\n${"+added line\n".repeat(800)}`;
	bed.shell.commands[0]?.output(diff);
	await bed.tick();
	bed.shell.commands[0]?.finish();
	await bed.tick();
	expect(bed.last().media?.filename).toBe("changes.diff");
	expect(Buffer.from(bed.last().media?.bytes ?? []).toString()).toBe(diff.trimEnd());
});

test("[TG36] a 10,000 character answer with a long code block is three messages, the code a block of its language in each", async () => {
	bed = await createTelegramBed();
	const prose = (count: number) =>
		Array.from({ length: count }, (_, line) => `Sentence ${line} tells something of interest here.`).join("\n");
	const code = Array.from({ length: 150 }, (_, line) => `const value${line} = compute(${line}); // note`).join("\n");
	const turn = await bed.ask("write");
	turn.text(`${prose(42)}\n\n\`\`\`ts\n${code}\n\`\`\`\n\n${prose(42)}`);
	turn.end();
	await bed.tick();
	const parts = bed.said();
	expect(parts).toHaveLength(3);
	for (const part of parts) expect(part.text.length).toBeLessThanOrEqual(4_096);
	expect(parts.map((part) => part.replyTo !== undefined)).toEqual([true, false, false]);
	expect(parts.map((part) => part.silent)).toEqual([false, true, true]);
	const blocks = parts.flatMap((part) =>
		part.entities.map((entity) => ({ ...entity, text: part.text.slice(entity.offset, entity.offset + entity.length) })),
	);
	expect(blocks.map(({ type, language }) => ({ type, language }))).toEqual(blocks.map(() => ({ type: "pre", language: "ts" })));
	expect(blocks.map((block) => block.text).join("\n")).toBe(code);
});
