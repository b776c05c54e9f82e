import { afterEach, expect, test } from "vitest";
import type { ConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { ANN, BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

/** Everything that a chat was shown since then; a message that is deleted shows nothing. */
const shown = (chatId: number, since = 0) =>
	bed.api.calls.slice(since).filter((call) => Number(call.params.chat_id) === chatId && /^send|^edit/.test(call.method));

async function pair(): Promise<void> {
	bed.api.private(BOB).text("hello?");
	await bed.tick();
	const code = bed.api.fromBot(BOB.id)[0]?.text.match(/[0-9A-F]{4}-[0-9A-F]{4}/)?.[0] ?? "";
	expect(bed.channel.pairing.confirm(code)).toMatchObject({ userId: BOB.id });
	await bed.tick();
}

/** A prompt of the page with an answer, a command with output, and a question. */
async function happen(id: ConversationId): Promise<void> {
	bed.conversations.prompt({ conversationId: id, prompt: "from the page", clientMessageId: `c${Math.random()}`, origin: "web" });
	const turn = await bed.nextTurn();
	turn.text("what only the owner may read");
	void turn.options.ask({ question: "Which?", choices: ["a"], allowFreeform: true }, turn.signal).catch(() => undefined);
	await bed.advance(3_000, 500);
	bed.conversations.abort(id);
	turn.end();
	bed.conversations.exec({ conversationId: id, command: "secrets", clientMessageId: `x${Math.random()}`, origin: "web" });
	await bed.advance(2_000, 500);
	bed.shell.commands.at(-1)?.output("secret output");
	bed.shell.commands.at(-1)?.finish();
	await bed.advance(2_000, 500);
}

test("[TG100] a person who is removed in the middle of an answer gets nothing more of it, and nothing after a restart", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	await pair();
	bed.api.private(BOB).text("go");
	const turn = await bed.nextTurn();
	const id = bed.conversation();
	turn.text("the first half");
	void turn.options.ask({ question: "Which?", choices: ["a"], allowFreeform: true }, turn.signal).catch(() => undefined);
	await bed.advance(2_000, 500);
	expect(bed.api.fromBot(BOB.id).map((message) => message.text)).toContain("❓ Which?");

	expect(bed.channel.pairing.revoke(BOB.id)).toBe(true);
	const since = bed.api.calls.length;
	turn.text(" and the second");
	await bed.advance(3_000, 500);
	bed.conversations.abort(id);
	turn.end();
	await bed.tick();
	await happen(id);
	expect(shown(BOB.id, since)).toEqual([]);
	expect(bed.api.fromBot(BOB.id).filter((message) => /Working|Which/.test(message.text))).toEqual([]);
	expect(bed.opened.sql.prepare("SELECT * FROM telegram_chats").all()).toEqual([]);

	bed = await bed.crash();
	await happen(id);
	expect(shown(BOB.id, since)).toEqual([]);
});

test("[TG100] send_file reaches nobody who was removed", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	await pair();
	bed.api.private(BOB).text("go");
	(await bed.nextTurn()).end();
	await bed.tick();
	const id = bed.conversation();
	const [tool] = bed.channel.tools(id);
	bed.channel.pairing.revoke(BOB.id);
	const result = await tool?.run({ path: "anything" }, { signal: new AbortController().signal, toolCallId: "t", output: () => undefined });
	expect(result).toMatchObject({ ok: false });
	expect(result?.text).toContain("nobody to send the file to");
});

test("[TG100] what waits for a removed person is given up, with its content", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	await pair();
	bed.api.private(BOB).text("go");
	const turn = await bed.nextTurn();
	bed.api.fault("sendMessage", { code: 429, retryAfter: 5 });
	turn.text("the whole answer");
	turn.end();
	await bed.tick();
	const rows = () => bed.opened.sql.prepare("SELECT state, payload FROM telegram_outbox WHERE conversation_id IS NOT NULL").all();
	expect(rows()).toMatchObject([{ state: "pending", payload: expect.stringContaining("the whole answer") }]);
	bed.channel.pairing.revoke(BOB.id);
	expect(rows()).toEqual([{ state: "dead", payload: null }]);
	const since = bed.api.calls.length;
	await bed.advance(10_000, 1_000);
	expect(shown(BOB.id, since)).toEqual([]);
});

test("[TG100] what a person sent and what still waited when they were removed is not run", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	await pair();
	bed.api.private(BOB).text("x".repeat(4_050));
	await bed.tick();
	bed.channel.pairing.revoke(BOB.id);
	await bed.advance(3_000, 500);
	expect(bed.runtime.opened).toEqual([]);
	expect(bed.conversations.list().conversations).toEqual([]);
});

test("[TG100] somebody who is named in the configuration as well stays when the pairing is taken away", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [] } });
	await pair();
	bed = await bed.crash({ config: { allowedUsers: [BOB.id] } });
	bed.api.private(BOB).text("go");
	const turn = await bed.nextTurn();
	bed.channel.pairing.revoke(BOB.id);
	turn.text("answer");
	turn.end();
	await bed.tick();
	expect(bed.last(BOB.id).text).toBe("answer");
});

test("[TG101] an id that was taken out of the configuration reads nothing after the restart", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [ANN.id, BOB.id] } });
	bed.api.private(BOB).text("go");
	const turn = await bed.nextTurn();
	const id = bed.conversation();
	bed.api.fault("sendMessage", { code: 429, retryAfter: 60 });
	turn.text("an answer that waits");
	turn.end();
	await bed.tick();
	const since = bed.api.calls.length;
	bed = await bed.crash({ config: { allowedUsers: [ANN.id] } });
	await happen(id);
	await bed.advance(70_000, 10_000);
	expect(shown(BOB.id, since)).toEqual([]);
});

test("[TG101] a group that is configured no more reads nothing after the restart, in no topic", async () => {
	const group = -100700;
	bed = await createTelegramBed({ config: { groups: [group] } });
	const forum = bed.api.group(group, "Forum", true);
	bed.api.in(ANN, forum).text("@rightseat_bot hello");
	(await bed.nextTurn()).end();
	await bed.tick();
	const id = bed.conversation();
	bed.ann.text("/list");
	bed.api.in(ANN, forum, 71).text("@rightseat_bot in a topic");
	(await bed.nextTurn()).end();
	await bed.tick();
	const other = bed.conversation();
	expect(other).not.toBe(id);
	const since = bed.api.calls.length;
	bed = await bed.crash({ config: { groups: [] } });
	await happen(id);
	await happen(other);
	expect(shown(group, since)).toEqual([]);
	expect(bed.opened.sql.prepare("SELECT * FROM telegram_chats").all()).toEqual([]);
});

test.each(["a refusal", "the old group's message", "the new group's message"])(
	"[TG102] a configured group that becomes a supergroup is heard and answered under its new id, known from %s",
	async (source) => {
		bed = await createTelegramBed({ config: { groups: [-500] } });
		const { group, bigger, turn } = await bed.growingGroup();
		const id = bed.conversation();
		// Whoever runs the group does this; it need not be somebody who may use the bot.
		if (source.startsWith("the old")) bed.api.in(BOB, group).text("", { text: undefined, migrate_to_chat_id: bigger.id });
		if (source.startsWith("the new")) bed.api.in(BOB, bigger).text("", { text: undefined, migrate_from_chat_id: group.id });
		await bed.tick();
		turn.text("answer");
		turn.end();
		await bed.tick();
		expect(bed.last(bigger.id).text).toBe("answer");
		bed = await bed.crash();
		bed.api.in(ANN, bigger).text("@rightseat_bot more");
		const next = await bed.nextTurn();
		expect(bed.conversation()).toBe(id);
		next.end();
		await bed.tick();

		const since = bed.api.calls.length;
		bed = await bed.crash({ config: { groups: [] } });
		await happen(id);
		expect(shown(bigger.id, since)).toEqual([]);
	},
);

test("[TG102] a group that nobody configured does not become one by naming another as its origin", async () => {
	bed = await createTelegramBed({ config: { groups: [-500] } });
	const foreign = bed.api.group(-900, "Foreign");
	const bigger = bed.api.group(-1000900, "Foreign");
	bed.api.in(ANN, foreign).text("", { text: undefined, migrate_to_chat_id: bigger.id });
	await bed.tick();
	bed.api.in(ANN, bigger).text("@rightseat_bot hello");
	await bed.tick();
	expect(bed.runtime.opened).toEqual([]);
});
