import { afterEach, expect, test } from "vitest";
import { ANN, BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());
const IMPOSTOR = { id: 3003, name: "Ann", username: "ann" };
const CODE = /[0-9A-F]{4}-[0-9A-F]{4}/;
const codeOf = () => CODE.exec(bed.api.fromBot(BOB.id)[0]?.text ?? "")?.[0] ?? "";

test("[TG1] a message of somebody else reaches neither the agent nor the shell, whatever their user name", async () => {
	bed = await createTelegramBed();
	bed.api.private(IMPOSTOR).text("!cat /etc/passwd");
	await bed.tick();
	expect(bed.shell.commands).toEqual([]);
	expect(bed.conversations.list().conversations).toEqual([]);
});

test("[TG260] an edit of somebody else changes nothing", async () => {
	bed = await createTelegramBed();
	const impostor = bed.api.private(IMPOSTOR);
	impostor.edit(impostor.text("hello"), "!cat /etc/passwd");
	await bed.tick();
	expect(bed.shell.commands).toEqual([]);
	expect(bed.conversations.list().conversations).toEqual([]);
});

test("[TG261] a tap of somebody else on a button of a running turn does nothing", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("mine");
	await bed.advance(1_500);
	bed.api.private(IMPOSTOR).press(bed.last(), bed.last().buttons[0]?.[0]?.callbackData ?? "");
	await bed.tick();
	expect(turn.signal.aborted).toBe(false);
	turn.end();
});

/** Bob, whom nobody knows yet, has written to a bot that pairs. */
async function bobAsks() {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	const bob = bed.api.private(BOB);
	bob.text("/start secret words");
	bob.text("hello?");
	await bed.tick();
	return bob;
}

test("[TG2] a stranger gets one code, and nothing of what they write is kept", async () => {
	await bobAsks();
	expect(bed.api.fromBot(BOB.id)).toHaveLength(1);
	expect(codeOf()).toMatch(CODE);
	expect(bed.opened.sql.prepare("SELECT payload FROM telegram_inbox").all()).toEqual([{ payload: null }, { payload: null }]);
});

test("[TG262] the page lists who waits, without their codes", async () => {
	await bobAsks();
	const [request] = bed.channel.pairing.pending();
	expect(request).toMatchObject({ userId: BOB.id, name: "Bob", username: "bob" });
	// A name can be made up; the code is known to the person and to nobody who only looks at the page.
	expect(JSON.stringify(request)).not.toMatch(CODE);
	expect(bed.channel.status()).toMatchObject({ state: "ok", waiting: 1 });
});

test("[TG263] typing the right code on the page lets the person in, however it is typed; a wrong one lets in nobody", async () => {
	const bob = await bobAsks();
	expect(bed.channel.pairing.confirm("0000-0000")).toBeUndefined();
	expect(bed.channel.pairing.confirm(` ${codeOf().toLowerCase().replace("-", " ")}`)).toMatchObject({ userId: BOB.id, name: "Bob" });
	expect(bed.channel.pairing.pending()).toEqual([]);
	expect(bed.channel.status().waiting).toBeUndefined();
	await bed.tick();
	expect(bed.last(BOB.id).text).toContain("Welcome, Bob");
	bob.text("hello");
	(await bed.nextTurn()).end();
	expect(bed.channel.pairing.people()).toMatchObject([{ userId: BOB.id, fixed: false }]);
});

test("[TG264] a person who was let in can be removed again, and is not heard from then on", async () => {
	const bob = await bobAsks();
	bed.channel.pairing.confirm(codeOf());
	await bed.tick();
	bob.text("hello");
	(await bed.nextTurn()).end();
	expect(bed.channel.pairing.revoke(BOB.id)).toBe(true);
	bob.text("still here?");
	await bed.tick();
	const { messages } = bed.conversations.messages(bed.conversation(), { limit: 9 });
	expect(messages.filter((message) => message.role === "user")).toHaveLength(1);
});

test("[TG223] a pairing code ends after fifteen minutes", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	bed.api.private(BOB).text("hello");
	await bed.tick();
	const code = codeOf();
	expect(code).toMatch(CODE);
	await bed.clock.advance(15 * 60_000 + 1);
	expect(bed.channel.pairing.confirm(code)).toBeUndefined();
});

test("[TG3] groups are silent unless they are allowed", async () => {
	bed = await createTelegramBed();
	const group = bed.api.group(-100500, "Team");
	const ann = bed.api.in(ANN, group);
	ann.text("@rightseat_bot hello");
	ann.text("/help@rightseat_bot");
	await bed.tick();
	expect(bed.api.fromBot(group.id)).toEqual([]);
	expect(bed.runtime.opened).toEqual([]);
});

test("[TG3] in an allowed group only a mention, a reply to the bot or a command with its name counts, and only from allowed people", async () => {
	bed = await createTelegramBed({ config: { groups: [-100500], allowedUsers: [ANN.id, 1087968824] } });
	const group = bed.api.group(-100500, "Team");
	const other = bed.api.group(-100600, "Others");
	bed.api.in(ANN, other).text("@rightseat_bot hello");
	const ann = bed.api.in(ANN, group);
	ann.text("just chatting");
	ann.text("/help");
	ann.text("/help@other_bot");
	bed.api.in(BOB, group).text("@rightseat_bot hello");
	bed.api.anonymousAdmin(group).text("@rightseat_bot hello");
	ann.text("@rightseat_bot hello", { sender_chat: { id: -100900, type: "channel", title: "A channel" } });
	await bed.tick();
	expect(bed.api.world.messages.filter((message) => message.from === "bot")).toEqual([]);
	expect(bed.runtime.opened).toEqual([]);

	ann.text("/help@rightseat_bot");
	await bed.tick();
	expect(bed.api.fromBot(group.id)).toHaveLength(1);
	ann.text("@rightseat_bot what is new?");
	const mentioned = await bed.nextTurn();
	expect(mentioned.input.displayPrompt).toBe("what is new?");
	mentioned.text("nothing");
	mentioned.end();
	await bed.tick();
	ann.reply(bed.last(group.id), "and yesterday?");
	const replied = await bed.nextTurn();
	expect(replied.input.displayPrompt).toContain("and yesterday?");
	replied.end();
});

test("[TG3] in a topic the pseudo reply to the topic's first message is no reply to the bot", async () => {
	bed = await createTelegramBed({ config: { groups: true } });
	const forum = bed.api.group(-100700, "Forum", true);
	const root = {
		message_id: 71,
		from: { id: bed.api.bot.id, is_bot: true, first_name: "Bot" },
		forum_topic_created: { name: "Topic", icon_color: 0 },
	};
	bed.api.in(ANN, forum, 71).text("chatting in the topic", { reply_to_message: root });
	await bed.tick();
	expect(bed.runtime.opened).toEqual([]);
});

test("[TG111] with people named in the configuration strangers hear nothing, unless pairing is switched on", async () => {
	bed = await createTelegramBed();
	bed.api.private(BOB).text("hello?");
	await bed.tick();
	expect(bed.api.fromBot(BOB.id)).toEqual([]);
	expect([bed.channel.pairing.isOn(), bed.channel.pairing.pending()]).toEqual([false, []]);
	bed = await bed.crash({ config: { pairing: true } });
	bed.api.private(BOB).text("hello?");
	await bed.tick();
	expect(codeOf()).toMatch(CODE);
	expect(bed.channel.pairing.isOn()).toBe(true);
});

test("[TG111] pairing can be off although nobody is named; who was let in before stays", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	bed.api.private(BOB).text("hello?");
	await bed.tick();
	bed.channel.pairing.confirm(codeOf());
	bed = await bed.crash({ config: { pairing: false } });
	bed.ann.text("hello?");
	await bed.tick();
	expect(bed.said()).toEqual([]);
	bed.api.private(BOB).text("go");
	(await bed.nextTurn()).end();
});

test("[TG112] /list in a group offers only the group's own conversations, and no button moves a private one in", async () => {
	bed = await createTelegramBed({ config: { groups: [-100500] } });
	(await bed.ask("my private matters")).end();
	await bed.tick();
	const hidden = bed.conversation();
	bed.conversations.update(hidden, { title: "My private matters" });
	const group = bed.api.group(-100500, "Team");
	const ann = bed.api.in(ANN, group);
	ann.text("@rightseat_bot first of ours");
	(await bed.nextTurn()).end();
	await bed.tick();
	ann.text("/new@rightseat_bot");
	await bed.tick();
	ann.text("/list@rightseat_bot");
	await bed.tick();
	const list = bed.last(group.id);
	expect(list.buttons).toHaveLength(2);
	expect(JSON.stringify(list)).not.toContain("private");

	bed.opened.sql
		.prepare("UPDATE telegram_buttons SET action = ? WHERE id = ?")
		.run(JSON.stringify({ kind: "switch", conversationId: hidden }), list.buttons[0]?.[0]?.callbackData ?? "");
	const tap = ann.press(list, list.buttons[0]?.[0]?.callbackData ?? "");
	await bed.tick();
	expect(bed.api.callbackAnswer(tap)).toMatchObject({ alert: true });
	expect(bed.api.fromBot(group.id).filter((message) => message.text.includes("private"))).toEqual([]);
	bed.ann.text("/list");
	await bed.tick();
	expect(bed.last().buttons).toHaveLength(3);
});
