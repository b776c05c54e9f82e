import { afterEach, expect, test } from "vitest";
import { conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { ANN, BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG5] the first message of a chat creates its session, with the default model and working directory", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	expect(turn.options).toMatchObject({ model: "model-a", cwd: bed.home });
	expect(bed.conversations.list().conversations).toMatchObject([{ title: "hello", model: "model-a", cwd: bed.home }]);
	turn.end();
});

test("[TG6] later messages of a chat reuse its session and note when; other chats have their own", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [ANN.id, BOB.id] } });
	const lastUsed = () => bed.opened.sql.prepare("SELECT last_used FROM telegram_chats WHERE chat_id = ?").get(ANN.id)?.last_used;
	(await bed.ask("one")).end();
	await bed.tick();
	const before = lastUsed();
	await bed.clock.advance(60_000);
	(await bed.ask("two")).end();
	await bed.tick();
	expect(bed.runtime.opened).toHaveLength(1);
	expect(Number(lastUsed())).toBeGreaterThanOrEqual(Number(before) + 60_000);
	bed.api.private(BOB).text("three");
	(await bed.nextTurn()).end();
	expect(bed.runtime.opened).toHaveLength(2);
});

test("[TG6] after a restart the chat goes on with its conversation", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("one");
	first.end();
	await bed.tick();
	bed = await bed.crash();
	const second = await bed.ask("two");
	expect(second.sessionId).toBe(first.sessionId);
	second.end();
});

test("[TG7] /reset lets the session go and forgets it; the next message starts a new one, the old one stays on the page", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("one");
	bed.ann.text("/reset");
	await bed.tick();
	expect(first.signal.aborted).toBe(true);
	expect(bed.runtime.closed).toEqual([first.sessionId]);
	expect(bed.last().text).toBe("Reset. Your next message starts a new conversation; this one stays on the page.");
	const second = await bed.ask("two");
	expect(second.sessionId).not.toBe(first.sessionId);
	expect(bed.conversations.list().conversations).toHaveLength(2);
	second.end();
});

test("[TG233] /new starts another conversation and says where the old one is", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("one");
	first.end();
	await bed.tick();
	bed.ann.text("/new");
	await bed.tick();
	expect(bed.last().text).toBe(`New conversation with model-a in ${bed.home}. The one before stays on the page and in /list.`);
	const second = await bed.ask("two");
	expect(second.sessionId).not.toBe(first.sessionId);
	second.end();
});

test("[TG470] /fork goes on in a fork that the chat shows from then on; the original stays", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/fork");
	await bed.tick();
	expect(bed.last().text).toBe("There is nothing to fork. Your next message starts a new conversation.");
	const first = await bed.ask("one");
	first.text("first answer");
	first.end();
	await bed.tick();
	bed.ann.text("/fork");
	await bed.tick();
	expect(bed.last().text).toContain("one (2)");
	const second = await bed.ask("two");
	expect(second.sessionId).not.toBe(first.sessionId);
	second.end();
	await bed.tick();
	const [fork, source] = bed.conversations.list().conversations;
	expect(fork?.forkedFrom?.conversationId).toBe(source?.id);
	expect(bed.conversations.messages(conversationId(source?.id ?? ""), { limit: 9 }).messages).toHaveLength(2);
});

test("[TG8] /model changes the model and keeps the history; without a name it offers buttons", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("one");
	first.end();
	await bed.tick();
	bed.ann.text("/model model-b");
	await bed.tick();
	expect(bed.runtime.modelChanges).toEqual([{ sessionId: first.sessionId, model: "model-b" }]);
	expect(bed.runtime.closed).toEqual([]);
	const second = await bed.ask("two");
	expect(second.sessionId).toBe(first.sessionId);
	second.end();
	await bed.tick();
	bed.ann.text("/model");
	await bed.tick();
	expect(bed.labels()).toEqual(["Model A", "● Model B"]);
	bed.ann.tap(bed.last(), "Model A");
	await bed.tick();
	expect(bed.conversations.get(bed.conversation()).model).toBe("model-a");
	bed.ann.text("/model nonsense");
	await bed.tick();
	expect(bed.last().text).toMatch(/^⚠️ There is no model “nonsense”/);
});

test("[TG64] /cwd shows and changes the working directory, and a missing one is refused", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/cwd");
	await bed.tick();
	expect(bed.last().text).toBe(`The working directory is ${bed.home}. Change it with /cwd PATH.`);
	bed.ann.text("/cwd /srv/app");
	await bed.tick();
	expect(bed.last().text).toBe("The working directory is now /srv/app.");
	const turn = await bed.ask("where?");
	expect(turn.options.cwd).toBe("/srv/app");
	turn.end();
	await bed.tick();
	bed.ann.text("/cwd /missing");
	await bed.tick();
	expect(bed.last().text).toBe("⚠️ There is no directory /missing.");
});

test("[TG62] /list offers the conversations of the page, and a tap shows one in this chat", async () => {
	bed = await createTelegramBed();
	const created = await bed.conversations.create({ title: "Started on the page" });
	(await bed.ask("mine")).end();
	await bed.tick();
	bed.ann.text("/list");
	await bed.tick();
	expect(bed.labels().sort()).toEqual(["Started on the page", "● mine"]);
	bed.ann.tap(bed.last(), "Started on the page");
	await bed.tick();
	expect(bed.last().text).toBe("This chat shows “Started on the page” now.");
	const turn = await bed.ask("continue");
	expect(turn.sessionId).toBe(created.id);
	turn.end();
});

test("[TG225] a chat that goes on with another conversation tidies up what it showed, and an old Stop button means its own turn", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("long work");
	bed.ann.text("waiting");
	await bed.advance(2_000);
	const notice = bed.said().find((message) => message.text.startsWith("🕓"));
	const status = bed.said().find((message) => message.text.startsWith("⏳"));
	if (status === undefined || notice === undefined) throw new Error("status and notice are shown");
	const stop = status.buttons[0]?.[0]?.callbackData ?? "";
	bed.ann.text("/new");
	await bed.tick();
	expect(status.deletedAt).toBeDefined();
	expect(notice).toMatchObject({ text: "🕓 Waiting in a conversation that this chat no longer shows.", buttons: [] });
	const second = await bed.ask("other work");
	bed.ann.press(status, stop);
	await bed.tick();
	expect([first.signal.aborted, second.signal.aborted]).toEqual([true, false]);
	second.end();
});

test("[TG63] a code from the page moves its conversation here, once", async () => {
	bed = await createTelegramBed();
	const created = await bed.conversations.create({ title: "Started on the page" });
	const { conversationId } = await import("../../../packages/server/src/core/kernel/ids.ts");
	const code = bed.channel.linkCode(conversationId(created.id));
	bed.ann.text(`/link ${code}`);
	await bed.tick();
	expect(bed.last().text).toBe("This chat shows “Started on the page” now.");
	bed.ann.text(`/start ${code}`);
	await bed.tick();
	expect(bed.last().text).toContain("unknown or too old");
	const turn = await bed.ask("continue");
	expect(turn.sessionId).toBe(created.id);
	turn.end();
	const late = bed.channel.linkCode(conversationId(created.id));
	await bed.clock.advance(10 * 60_000 + 1);
	bed.ann.text(`/link ${late}`);
	await bed.tick();
	expect(bed.last().text).toContain("unknown or too old");
});

test("[TG226] /link opens the conversation on the page when the page has an address", async () => {
	bed = await createTelegramBed({ config: { publicUrl: () => "https://seat.example/" } });
	(await bed.ask("hello")).end();
	await bed.tick();
	bed.ann.text("/link");
	await bed.tick();
	expect(bed.last().buttons).toEqual([[{ text: "Open on the page", url: `https://seat.example/c/${bed.conversation()}` }]]);
});

test("[TG69] a conversation that is deleted on the page is told, and the next message starts a new one", async () => {
	bed = await createTelegramBed();
	(await bed.ask("one")).end();
	await bed.tick();
	await bed.conversations.delete(bed.conversation());
	await bed.tick();
	expect(bed.last().text).toContain("deleted on the page");
	(await bed.ask("two")).end();
	expect(bed.conversations.list().conversations).toHaveLength(1);
});

test("[TG60] the command menu is set once, and again only when it differs", async () => {
	bed = await createTelegramBed();
	expect(bed.api.callsOf("setMyCommands").map((call) => call.params.language_code)).toEqual([undefined, "zh"]);
	const { commands } = bed.api.callsOf("setMyCommands")[0]?.params ?? {};
	expect(Array.isArray(commands) ? commands.map((each) => each.command) : []).toEqual([
		"new",
		"stop",
		"status",
		"inbox",
		"schedules",
		"permissions",
		"list",
		"model",
		"agent",
		"mode",
		"effort",
		"cwd",
		"trust",
		"context",
		"compact",
		"aside",
		"ps",
		"fork",
		"reset",
		"link",
		"help",
	]);
	bed = await bed.crash();
	expect(bed.api.callsOf("setMyCommands").map((call) => call.params.language_code)).toEqual([undefined, "zh"]);
});

test("[TG60] a menu that Telegram refuses is shortened, and the bot starts all the same", async () => {
	bed = await createTelegramBed({ idle: true });
	bed.api.fault("setMyCommands", { code: 400, description: "Bad Request: BOT_COMMANDS_TOO_MUCH" });
	const starting = bed.channel.start();
	await bed.settle();
	await starting;
	expect(bed.api.callsOf("setMyCommands").map((call) => (Array.isArray(call.params.commands) ? call.params.commands.length : 0))).toEqual([
		21, 10, 21,
	]);
	expect(bed.channel.status().state).toBe("ok");
});

test("[TG227] /status@our_bot is ours, /status@other_bot is not, and an unknown command is answered here and not sent to the agent", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/status@rightseat_bot");
	await bed.tick();
	expect(bed.last().text).toContain("No conversation in this chat yet");
	bed.ann.text("/status@other_bot");
	await bed.tick();
	expect(bed.said()).toHaveLength(1);
	bed.ann.text("/nope now");
	await bed.tick();
	expect(bed.last().text).toBe("I do not know /nope. /help lists what I understand; it was not sent to the agent.");
	expect(bed.runtime.opened).toEqual([]);
});

test("[TG530] a command that is not the bot's but the agent's is a prompt as it was typed; any other stays unknown", async () => {
	bed = await createTelegramBed();
	(await bed.ask("hello")).end();
	await bed.tick();
	const turn = await bed.ask("/greet Anna");
	expect(turn.input.displayPrompt).toBe("/greet Anna");
	turn.end();
	await bed.tick();
	for (const other of ["/Greet Anna", "/allow_all"]) {
		bed.ann.text(other);
		await bed.tick();
		expect(bed.last().text).toContain("I do not know");
	}
});

test("[TG61] /status tells the state, the model, the directory and the agent's health while a turn runs", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("build it");
	bed.ann.text("next");
	await bed.advance(5_000, 1_000);
	bed.ann.text("/status");
	await bed.tick();
	expect(bed.last().text).toBe(`“build it”\nState: working for 5 s, 1 queued\nModel: model-a\nDirectory: ${bed.home}\nAgent: ready`);
	turn.end();
});
