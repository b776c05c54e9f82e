import { afterEach, expect, test } from "vitest";
import { ANN, BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG1] nobody but allowed numeric ids reaches the agent: no message, edit or tap, whatever their user name", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("mine");
	await bed.advance(1_500);
	const impostor = bed.api.private({ id: 3003, name: "Ann", username: "ann" });
	const message = impostor.text("!cat /etc/passwd");
	impostor.edit(message, "and this");
	impostor.press(bed.last(), bed.last().buttons[0]?.[0]?.callbackData ?? "");
	await bed.tick();
	expect(turn.signal.aborted).toBe(false);
	expect(bed.shell.commands).toEqual([]);
	expect(bed.conversations.list().conversations).toHaveLength(1);
	turn.end();
});

test("[TG2] a stranger gets one code, nothing of what they write is kept, and confirming the code on the page lets them in", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	const bob = bed.api.private(BOB);
	bob.text("/start secret words");
	bob.text("hello?");
	await bed.tick();
	expect(bed.api.fromBot(BOB.id)).toHaveLength(1);
	const [request] = bed.channel.pairing.pending();
	expect(request).toMatchObject({ userId: BOB.id, name: "Bob", username: "bob" });
	expect(bed.api.fromBot(BOB.id)[0]?.text).toContain(request?.code ?? "no code");
	const kept = bed.opened.sql.prepare("SELECT payload FROM telegram_inbox").all();
	expect(kept).toEqual([{ payload: null }, { payload: null }]);

	expect(bed.channel.status()).toMatchObject({ state: "ok", waiting: 1 });
	expect(bed.channel.pairing.confirm("0000-0000")).toBeUndefined();
	expect(bed.channel.pairing.confirm(request?.code ?? "")).toMatchObject({ userId: BOB.id, name: "Bob" });
	expect(bed.channel.pairing.pending()).toEqual([]);
	expect(bed.channel.status().waiting).toBeUndefined();
	await bed.tick();
	expect(bed.last(BOB.id).text).toContain("Welcome, Bob");
	bob.text("hello");
	const turn = await bed.nextTurn();
	turn.end();
	expect(bed.channel.pairing.people()).toMatchObject([{ userId: BOB.id, fixed: false }]);

	expect(bed.channel.pairing.revoke(BOB.id)).toBe(true);
	bob.text("still here?");
	await bed.tick();
	expect(bed.conversations.messages(bed.conversation(), { limit: 9 }).messages.filter((message) => message.role === "user")).toHaveLength(
		1,
	);
});

test("[TG2] a pairing code ends after fifteen minutes", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	bed.api.private(BOB).text("hello");
	await bed.tick();
	const code = bed.channel.pairing.pending()[0]?.code ?? "";
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
