import { afterEach, expect, test } from "vitest";
import { LATER_MS, LIST_LIVES_MS } from "../../../packages/server/src/channels/telegram/commands/inbox-command.ts";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

/** A turn in a conversation that no chat shows. */
async function elsewhere(title: string) {
	const id = conversationId((await bed.conversations.create({ title })).id);
	bed.conversations.prompt({ conversationId: id, prompt: "go", origin: "web" });
	return { id, turn: await bed.nextTurn() };
}
const list = () => bed.said().findLast(({ text }) => text.startsWith("📥"));
const labels = () => list()?.buttons.map((row) => row.map(({ text }) => text));
const kinds = () => bed.conversations.inbox.list().map(({ kind }) => kind);
async function show() {
	bed.ann.text("/inbox");
	await bed.tick();
}

test("[TG480] what waits elsewhere is listed with buttons, answered, seen and put off in the chat", async () => {
	bed = await createTelegramBed();
	const paint = await elsewhere("Paint");
	const answer = paint.turn.options.ask({ question: "Which colour?", choices: ["Red", "Green"], allowFreeform: true }, paint.turn.signal);
	const docs = await elsewhere("Docs");
	docs.turn.end();
	await bed.tick();
	await show();
	expect(list()?.text).toContain("📥 2 wait for you\n\n1. ❓ Paint · ");
	expect(list()?.text).toContain("Which colour?");
	expect(labels()).toEqual([
		["1 · Red"],
		["1 · Green"],
		["1 · Open here", "1 · In an hour"],
		["2 · Open here", "2 · Seen", "2 · In an hour"],
	]);
	bed.ann.tap(list() ?? bed.last(), "1 · Green");
	await bed.tick();
	expect(await answer).toMatchObject({ answer: "Green" });
	expect(labels()).toEqual([["1 · Open here", "1 · Seen", "1 · In an hour"]]);
	bed.ann.tap(list() ?? bed.last(), "1 · In an hour");
	await bed.tick();
	expect(list()).toMatchObject({ text: "📥 Nothing waits for you.", buttons: [] });
	await bed.clock.advance(LATER_MS);
	expect(kinds()).toEqual(["finished"]);
	await show();
	bed.ann.tap(list() ?? bed.last(), "1 · Seen");
	await bed.tick();
	expect(kinds()).toEqual([]);
	paint.turn.end();
});

test("[TG480] a permission request is decided there when all of it is on the screen, and opened when it is not", async () => {
	bed = await createTelegramBed();
	const { id, turn } = await elsewhere("Build");
	await bed.conversations.update(id, { permissions: "ask" });
	const whole = turn.options.permit({ kind: "shell", summary: "make all" }, turn.signal);
	const cut = turn.options.permit({ kind: "shell", summary: "make …", detail: "make all\nmake install" }, turn.signal);
	await bed.tick();
	await show();
	expect(labels()).toEqual([
		["1 · ✅ Allow once", "1 · ⛔ Deny"],
		["1 · Open here", "1 · In an hour"],
		["2 · Open here", "2 · In an hour"],
	]);
	bed.ann.tap(list() ?? bed.last(), "1 · ✅ Allow once");
	await bed.tick();
	expect(await whole).toEqual({ kind: "approve-once" });
	bed.ann.tap(list() ?? bed.last(), "1 · Open here");
	await bed.tick();
	expect(bed.conversation()).toBe(id);
	expect(bed.said().some(({ text }) => text.includes("make install"))).toBe(true);
	expect(labels()).toEqual([["1 · Open here", "1 · In an hour"]]);
	bed.conversations.abort(id);
	await cut;
});

test("[TG481] the list follows what happens elsewhere, and an old one says so", async () => {
	bed = await createTelegramBed();
	await show();
	expect(list()?.text).toBe("📥 Nothing waits for you.");
	const first = list();
	const { id, turn } = await elsewhere("Docs");
	turn.end();
	await bed.tick();
	expect(first).toMatchObject({ text: expect.stringContaining("Docs") });
	bed.conversations.inbox.looked(id);
	await bed.tick();
	expect(first).toMatchObject({ text: "📥 Nothing waits for you.", buttons: [] });
	await show();
	expect(first?.text).toContain("This list is old");
	const second = list();
	await bed.clock.advance(LIST_LIVES_MS);
	await bed.tick();
	expect(second?.text).toContain("This list is old");
});

test("[TG482] an answer that Telegram has taken is seen, and one that it has not is in the inbox", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	turn.text("Hi.");
	turn.end();
	await bed.tick();
	expect(kinds()).toEqual([]);
	const { id, turn: other } = await elsewhere("Docs");
	other.text("Done.");
	other.end();
	await bed.tick();
	expect(kinds()).toEqual(["finished"]);
	await show();
	bed.ann.tap(list() ?? bed.last(), "1 · Open here");
	await bed.tick();
	expect(bed.conversation()).toBe(id);
	expect(kinds()).toEqual([]);
});

test("[TG482] an answer that goes out after a restart is seen then, and not before", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	bed.api.fault("sendMessage", { code: 429, retryAfter: 60, text: "Hi there." });
	turn.text("Hi there.");
	turn.end();
	await bed.tick();
	expect(kinds()).toEqual(["finished"]);
	bed = await bed.crash();
	await bed.advance(61_000);
	expect(bed.said().some(({ text }) => text === "Hi there.")).toBe(true);
	expect(kinds()).toEqual([]);
});

test("[TG483] the bot rings for what a chat of it shows, and for nothing else", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	const shown: ConversationId = bed.conversation();
	const { id, turn: other } = await elsewhere("Docs");
	expect([bed.channel.rings(shown), bed.channel.rings(id)]).toEqual([true, false]);
	turn.end();
	other.end();
	await bed.tick();
	await bed.channel.close();
	expect(bed.channel.rings(shown)).toBe(false);
});
