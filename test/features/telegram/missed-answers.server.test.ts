import { afterEach, expect, test } from "vitest";
import { type ConversationId, conversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

const said = () => bed.said().map(({ text }) => text);

/** A prompt of the page, answered at once. */
async function answered(id: ConversationId, prompt: string, answer: string): Promise<void> {
	bed.conversations.prompt({ conversationId: id, prompt, origin: "web" });
	const turn = await bed.nextTurn();
	turn.text(answer);
	turn.end();
	await bed.tick();
}

async function asked(prompt: string, answer: string): Promise<void> {
	const turn = await bed.ask(prompt);
	turn.text(answer);
	turn.end();
	await bed.tick();
}

async function restart(): Promise<void> {
	bed = await bed.crash();
	await bed.advance(60_000, 1_000);
}

test("[TG582] an answer that came while Telegram was off is told when it is on again, with what was asked, and once", async () => {
	bed = await createTelegramBed();
	await asked("first", "one");
	await bed.channel.close();
	await answered(bed.conversation(), "from the page", "two");
	await restart();
	await restart();
	expect(said()).toEqual(["one", "🖥 from the page", "two"]);
});

test("[TG582] of several that came meanwhile all are told in their order, behind the one that the chat waited for", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("first");
	turn.text("one");
	await bed.tick();
	await bed.channel.close();
	turn.end();
	await bed.tick();
	await answered(bed.conversation(), "q2", "two");
	await answered(bed.conversation(), "q3", "three");
	await restart();
	await restart();
	expect(said()).toEqual(["one", "🖥 q2", "two", "🖥 q3", "three"]);
});

test("[TG582] the first answer of a conversation that began in a chat is told too", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/new");
	await bed.tick();
	await bed.channel.close();
	await answered(bed.conversation(), "from the page", "one");
	await restart();
	expect(said().slice(1)).toEqual(["🖥 from the page", "one"]);
});

test("[TG582] of very many only the newest ten are told, and that there are more", async () => {
	bed = await createTelegramBed();
	await asked("first", "one");
	await bed.channel.close();
	for (let n = 1; n <= 12; n++) await answered(bed.conversation(), `q${n}`, `a${n}`);
	await restart();
	const shown = said();
	expect(shown.slice(0, 4)).toEqual(["one", "Earlier answers came while Telegram was not connected. The page has them.", "🖥 q3", "a3"]);
	expect(shown.filter((text) => text.startsWith("a"))).toEqual(["a3", "a4", "a5", "a6", "a7", "a8", "a9", "a10", "a11", "a12"]);
});

test("[TG582] a chat that is given a conversation is not told its answers of before, nor those that were stopped in it", async () => {
	bed = await createTelegramBed();
	const id = conversationId((await bed.conversations.create({})).id);
	await answered(id, "long ago", "old");
	bed.ann.text(`/link ${bed.channel.linkCode(id)}`);
	await bed.tick();
	const turn = await bed.ask("stop me");
	await bed.advance(3_000);
	bed.ann.text("/stop");
	await bed.tick();
	turn.end("aborted");
	await bed.tick();
	const before = said();
	await restart();
	expect(said()).toEqual(before);
});

test("[TG37] a very long answer that came meanwhile is a file with every byte", async () => {
	bed = await createTelegramBed();
	await asked("first", "one");
	await bed.channel.close();
	await answered(bed.conversation(), "from the page", `${"word ".repeat(240_000)}end`);
	await restart();
	const file = bed.said().find(({ media }) => media !== undefined)?.media;
	expect(file?.bytes.length).toBe(1_200_003);
});
