import { afterEach, expect, test } from "vitest";
import type { AskUserAnswer } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import type { ScriptedTurn } from "../../support/scripted-runtime.ts";
import { ANN, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";
import { startTranscriber } from "./transcriber.ts";

let bed: TelegramBed;
afterEach(() => bed.close());
const PNG = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 1, 2, 3]);
const FORWARD = { forward_origin: { type: "hidden_user", sender_user_name: "Somebody", date: 1 } };

async function ask(turn: ScriptedTurn, allowFreeform = true) {
	const answer: { value?: AskUserAnswer } = {};
	const choices = allowFreeform ? [] : ["Yes"];
	void turn.options.ask({ question: "Where?", choices, allowFreeform }, turn.signal).then((given) => {
		answer.value = given;
	});
	await bed.tick();
	return answer;
}
const prompts = () =>
	bed.conversations
		.messages(bed.conversation(), { limit: 20 })
		.messages.filter((message) => message.role === "user" && !message.metadata.bash);

test.each([
	["a path", () => bed.ann.text("/tmp"), "/tmp"],
	["a path with words", () => bed.ann.text("/srv and the rest"), "/srv and the rest"],
	["a forward", () => bed.ann.forward("see here"), "[Forwarded from Somebody]\nsee here"],
	["a long text in pieces", () => bed.ann.paste("y".repeat(5_000)), "y".repeat(5_000)],
])("[TG107] the next message answers the question, whatever it is: %s", async (_, send, expected) => {
	bed = await createTelegramBed();
	const answer = await ask(await bed.ask("go"));
	send();
	await bed.advance(2_500, 500);
	expect(answer.value).toEqual({ answer: expected, wasFreeform: true });
	expect(prompts()).toHaveLength(1);
	expect(bed.conversations.queue(bed.conversation())).toEqual([]);
});

test("[TG583] what is typed while the question still waits to be sent is a prompt, and answers nothing; later it answers", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("go");
	bed.api.fault("sendMessage", { code: 429, retryAfter: 20, text: "Where?" });
	const answer = await ask(turn);
	bed.ann.text("and mind the tests");
	await bed.advance(4_000, 500);
	expect(answer.value).toBeUndefined();
	expect(bed.conversations.queue(bed.conversation()).map(({ content }) => content)).toEqual(["and mind the tests"]);
	await bed.advance(20_000, 1_000);
	await bed.until(() => bed.said().some((message) => message.text.includes("Where?")), "the question");
	bed.ann.text("/tmp");
	await bed.until(() => answer.value, "the answer");
	expect(answer.value).toEqual({ answer: "/tmp", wasFreeform: true });
});

test("[TG583] a question whose confirmation was lost may be seen, so what is typed answers it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("go");
	bed.api.fault("sendMessage", { dropAfter: true, text: "Where?" });
	const answer = await ask(turn);
	await bed.advance(1_000, 500);
	bed.ann.text("/tmp");
	await bed.until(() => answer.value, "the answer");
	expect(answer.value).toEqual({ answer: "/tmp", wasFreeform: true });
});

test("[TG107] a photo with a caption is an answer with its file, which stays as long as the conversation", async () => {
	bed = await createTelegramBed();
	const answer = await ask(await bed.ask("go"));
	bed.ann.photo(PNG, { caption: "here" });
	await bed.until(() => answer.value, "the answer");
	expect(answer.value?.answer).toMatch(/^here\n\n\[Attached by the person: photo-\d+\.jpg, \/.+\]$/);
	expect(bed.opened.sql.prepare("SELECT conversation_id FROM attachments").all()).toEqual([{ conversation_id: bed.conversation() }]);
	expect(prompts()).toHaveLength(1);
});

test("[TG107] a photo for a question that takes only its buttons is told so; the bot's own commands stay commands", async () => {
	bed = await createTelegramBed();
	const answer = await ask(await bed.ask("go"), false);
	bed.ann.photo(PNG, { caption: "here" });
	await bed.until(() => bed.said().some((message) => message.text.startsWith("This question takes one of its buttons")), "the hint");
	bed.ann.text("/status");
	await bed.tick();
	expect(bed.last().text).toContain("State: waiting for your answer");
	expect(answer.value).toBeUndefined();
	expect(bed.conversations.queue(bed.conversation())).toEqual([]);
});

test("[TG108] while a question waits, a command in the shell says that it was none of its answers", async () => {
	bed = await createTelegramBed();
	const answer = await ask(await bed.ask("go"));
	bed.ann.text("!ls");
	await bed.tick();
	expect(bed.shell.commands.map((command) => command.request.command)).toEqual(["ls"]);
	expect(bed.last().text).toBe("That runs in the shell; it is no answer. The question still waits for your next message.");
	expect(answer.value).toBeUndefined();
	bed.ann.text("there");
	await bed.tick();
	expect(answer.value).toEqual({ answer: "there", wasFreeform: true });
});

test("[TG109] of voice and text that are forwarded together every one reaches the agent, with its source", async () => {
	const service = await startTranscriber({ status: 200, text: "first" }, { status: 200, text: "second" });
	bed = await createTelegramBed({ config: { transcription: { url: service.url } } });
	bed.ann.voice(PNG, FORWARD);
	bed.ann.voice(PNG, FORWARD);
	bed.ann.forward("and text");
	await bed.advance(1_500, 500);
	const turn = await bed.nextTurn();
	const voice = (text: string) => `[Forwarded from Somebody]\n[Voice message, transcribed by a machine]\n${text}`;
	expect(turn.input.displayPrompt).toBe([voice("first"), voice("second"), "[Forwarded from Somebody]\nand text"].join("\n\n"));
	turn.end();
	service.close();
});

test("[TG109] what can be read of messages that belong together is taken, and what cannot be heard is told", async () => {
	bed = await createTelegramBed();
	bed.ann.forward("the text");
	const voice = bed.ann.voice(PNG, FORWARD);
	await bed.advance(1_500, 500);
	const turn = await bed.nextTurn();
	expect(turn.input.displayPrompt).toBe("[Forwarded from Somebody]\nthe text");
	expect(bed.said().find((message) => message.replyTo === voice.messageId)?.text).toContain("RIGHTSEAT_TRANSCRIBE_URL");
	turn.end();
});

test("[TG110] editing one piece of a queued paste changes that piece, also after a restart", async () => {
	bed = await createTelegramBed();
	await bed.ask("busy");
	const [first, second] = bed.ann.paste(`${"a".repeat(4_096)}tail`);
	await bed.advance(2_000, 500);
	const queued = () => bed.conversations.queue(bed.conversation()).map((item) => item.content);
	expect(queued()).toEqual([`${"a".repeat(4_096)}tail`]);
	if (first === undefined || second === undefined) throw new Error("two pieces");
	bed.ann.edit(second, "new tail");
	await bed.tick();
	expect(queued()).toEqual([`${"a".repeat(4_096)}new tail`]);
	bed = await bed.crash();
	bed.ann.edit(first, "b".repeat(4_096));
	await bed.tick();
	expect(queued()).toEqual([`${"b".repeat(4_096)}new tail`]);
});

test("[TG110] editing a queued reply keeps what it replies to, and nothing of it is kept once the agent has it", async () => {
	bed = await createTelegramBed();
	const first = await bed.ask("list two fruits");
	first.text("Apples");
	first.end();
	await bed.tick();
	const fruits = bed.last();
	const busy = await bed.ask("busy");
	const reply = bed.ann.reply(fruits, "more");
	await bed.tick();
	bed.ann.edit(reply, "much more");
	await bed.tick();
	const queued = bed.conversations.queue(bed.conversation()).map((item) => item.content);
	expect(queued).toEqual(["[In reply to]\n> Apples\n\nmuch more"]);
	const pieces = () => bed.opened.sql.prepare("SELECT piece FROM telegram_prompts WHERE piece IS NOT NULL").all();
	expect(pieces()).toHaveLength(1);
	busy.end();
	const turn = await bed.nextTurn();
	await bed.tick();
	expect(pieces()).toEqual([]);
	turn.end();
});

test("[TG110] in a group the mention of the bot is no part of an edited message", async () => {
	bed = await createTelegramBed({ config: { groups: true } });
	const ann = bed.api.in(ANN, bed.api.group(-100500, "Team"));
	ann.text("@rightseat_bot busy");
	await bed.nextTurn();
	const message = ann.text("@rightseat_bot one");
	await bed.tick();
	ann.edit(message, "@rightseat_bot two");
	await bed.tick();
	expect(bed.conversations.queue(bed.conversation()).map((item) => item.content)).toEqual(["two"]);
});
