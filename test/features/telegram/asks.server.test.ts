import { afterEach, expect, test } from "vitest";
import type { AskUserAnswer, PermitDecision } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { heardAudit } from "../../support/audit.ts";
import type { ScriptedTurn } from "../../support/scripted-runtime.ts";
import { BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

const CHOICES = ["Red", "Green", "Blue"];

async function askColour(turn: ScriptedTurn, options: { allowFreeform?: boolean; choices?: string[] } = {}) {
	const answer: { value?: AskUserAnswer } = {};
	void turn.options
		.ask({ question: "Which colour?", choices: options.choices ?? CHOICES, allowFreeform: options.allowFreeform ?? true }, turn.signal)
		.then((given) => {
			answer.value = given;
		});
	await bed.tick();
	return answer;
}

test("[TG10] a question of the agent goes to the chat, with a button for each choice and Other…", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	const answer = await askColour(turn);
	const prompt = bed.last();
	expect(prompt.text).toBe("❓ Which colour?");
	expect(prompt.buttons.map((row) => row.map((button) => button.text))).toEqual([["Red"], ["Green"], ["Blue"], ["Other…"]]);
	for (const { callbackData } of prompt.buttons.flat()) expect(callbackData).toMatch(/^[0-9a-f]{24}$/);
	const tap = bed.ann.tap(prompt, "Green");
	await bed.tick();
	expect(answer.value).toEqual({ answer: "Green", wasFreeform: false });
	expect(bed.api.callbackAnswer(tap)?.text).toBe("Answered.");
	expect(prompt).toMatchObject({ text: "❓ Which colour?\n\n✅ Green", buttons: [] });
});

test("[TG11] the next message is the answer to a waiting question, not a new prompt", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	const answer = await askColour(turn, { choices: [] });
	expect(bed.last().text).toBe("❓ Which colour?\n\nYour next message is the answer.");
	bed.ann.text("purple, please");
	await bed.tick();
	expect(answer.value).toEqual({ answer: "purple, please", wasFreeform: true });
	expect(bed.conversations.queue(bed.conversation())).toEqual([]);
	expect(bed.conversations.messages(bed.conversation(), { limit: 9 }).messages).toHaveLength(1);
});

test("[TG577] a message that answers a question is no prompt as well, although the process died before it had noted that the message was handled", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	await askColour(turn, { choices: [] });
	const conversation = bed.conversation();
	// Such a write fails from now on, as it does in a process that dies there.
	bed.opened.sql.exec(
		"CREATE TRIGGER no_done BEFORE UPDATE ON telegram_inbox WHEN new.state = 'done' BEGIN SELECT RAISE(ABORT, 'dies here'); END",
	);
	bed.ann.text("purple, please");
	await bed.tick();
	bed = await bed.crash({ meanwhile: () => bed.opened.sql.exec("DROP TRIGGER no_done") });
	await bed.advance(2_000);
	const answers = bed.opened.sql
		.prepare("SELECT frame FROM events WHERE instr(frame, 'copilot:user_input_resolved') > 0")
		.all()
		.filter(({ frame }) => String(frame).includes("purple"));
	const prompts = bed.conversations.messages(conversation, { limit: 9 }).messages.filter(({ content }) => content.includes("purple"));
	expect([...answers, ...prompts]).toHaveLength(1);
});

test("[TG11] commands and !cmd are no answers, and a question without free text asks for a button", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	const answer = await askColour(turn, { allowFreeform: false });
	bed.ann.text("/status");
	await bed.tick();
	expect(bed.last().text).toContain("State: waiting for your answer");
	bed.ann.text("!ls");
	await bed.tick();
	expect(bed.shell.commands.map((command) => command.request.command)).toEqual(["ls"]);
	bed.ann.text("maybe yellow");
	await bed.tick();
	expect(bed.last().text).toBe("This question takes one of its buttons. Tap one, or /stop.");
	expect(answer.value).toBeUndefined();
	bed.ann.text("blue");
	await bed.tick();
	expect(answer.value).toEqual({ answer: "Blue", wasFreeform: false });
});

test("[TG12] after two minutes the agent gets a time-out and the chat is told, with a reminder at 75 %", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	const answer = await askColour(turn);
	const prompt = bed.last();
	await bed.advance(89_000, 3_000);
	expect(bed.last()).toBe(prompt);
	await bed.advance(1_500);
	expect(bed.last()).toMatchObject({ text: "⏰ The question still waits for you: 30 s left.", replyTo: prompt.messageId });
	await bed.advance(30_000, 3_000);
	expect(answer.value?.answer).toContain("did not answer within 120 seconds");
	expect(prompt).toMatchObject({ text: "❓ Which colour?\n\n⌛ Expired: nobody answered in time.", buttons: [] });
	expect(bed.last().text).toContain("⌛ The question timed out");
});

test("[TG12] a tap on an expired question is told so in a dialog", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	await askColour(turn);
	const prompt = bed.last();
	const data = prompt.buttons[0]?.[0]?.callbackData ?? "";
	await bed.advance(121_000, 5_000);
	const tap = bed.ann.press(prompt, data);
	await bed.tick();
	expect(bed.api.callbackAnswer(tap)).toMatchObject({ alert: true });
	expect(bed.api.callbackAnswer(tap)?.text).toContain("answered already, has expired");
});

test("[TG53] the first answer wins everywhere: one given on the web settles the chat's question", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	const answer = await askColour(turn);
	const prompt = bed.last();
	const [question] = bed.conversations.pending(bed.conversation()).questions;
	const data = prompt.buttons[0]?.[0]?.callbackData ?? "";
	bed.conversations.answer({ conversationId: bed.conversation(), requestId: question?.requestId ?? "", answer: "Red", by: "web" });
	await bed.tick();
	expect(prompt).toMatchObject({ text: "❓ Which colour?\n\n✅ Red (answered on the web)", buttons: [] });
	const late = bed.ann.press(prompt, data);
	await bed.tick();
	expect(bed.api.callbackAnswer(late)?.text).toContain("answered already");
	expect(answer.value).toEqual({ answer: "Red", wasFreeform: false });
});

test("[TG231] stopping settles a waiting question", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("paint");
	const answer = await askColour(turn);
	const prompt = bed.last();
	bed.ann.text("stop");
	await bed.tick();
	expect(turn.signal.aborted).toBe(true);
	expect(answer.value?.answer).toContain("stopped this turn");
	expect(prompt).toMatchObject({ text: "❓ Which colour?\n\n⏹ The turn was stopped.", buttons: [] });
});

async function askPermission(turn: ScriptedTurn, detail = "rm -rf build") {
	const decision: { value?: PermitDecision } = {};
	void turn.options.permit({ kind: "shell", summary: "Run a command", detail }, turn.signal).then((given) => {
		decision.value = given;
	});
	await bed.tick();
	return decision;
}

test("[TG14] a permission request has Allow once, Allow exactly this for this session and Deny; a reply denies with its reason", async () => {
	bed = await createTelegramBed({ permissions: "ask" });
	const turn = await bed.ask("clean up");
	const once = await askPermission(turn);
	expect(bed.last().text).toBe("🔐 May I? Run a command\n\nrm -rf build");
	const prompt = bed.last();
	bed.ann.tap(prompt, "Allow once");
	await bed.tick();
	expect(once.value).toEqual({ kind: "approve-once" });
	expect(prompt).toMatchObject({ text: "🔐 May I? Run a command\n\n✅ Allowed once", buttons: [] });

	const denied = await askPermission(turn, "rm -rf src");
	bed.ann.reply(bed.last(), "not that folder");
	await bed.tick();
	expect(denied.value).toEqual({ kind: "reject", feedback: "not that folder" });

	const allowed = await askPermission(turn, "rm -rf tmp");
	bed.ann.reply(bed.last(), "Yes");
	await bed.tick();
	expect(allowed.value).toEqual({ kind: "approve-once" });

	const session = await askPermission(turn, "rm -rf dist");
	bed.ann.tap(bed.last(), "for this session");
	await bed.tick();
	expect(session.value?.kind).toMatch(/^approve/);
	const said = bed.said().length;
	const again = await askPermission(turn, "rm -rf dist");
	expect(again.value?.kind).toMatch(/^approve/);
	expect(bed.said()).toHaveLength(said);
});

test("[TG222] a command too long for a message goes out whole as a file before the buttons, and the message says how much is missing", async () => {
	bed = await createTelegramBed({ permissions: "ask" });
	const turn = await bed.ask("clean up");
	const detail = `${"x".repeat(9_000)}\u202e\nrm -rf /`;
	await askPermission(turn, detail);
	const [file, prompt] = bed.said().slice(-2);
	expect(Buffer.from(file?.media?.bytes ?? []).toString()).toBe(detail.replace("\u202e", "\\u{202e}"));
	expect(prompt?.text).toContain("7,517 more characters");
	expect(prompt?.buttons.flat().length).toBeGreaterThan(0);
	turn.end();
});

test("[PG200] a permission request in a chat hides nothing of what would run", async () => {
	bed = await createTelegramBed({ permissions: "ask" });
	const turn = await bed.ask("clean up");
	await askPermission(turn, "ls \u001b]0;\ntouch PWNED\u0007\u202e");
	expect(bed.last().text).toBe("🔐 May I? Run a command\n\nls \\u{1b}]0;\ntouch PWNED\\u{7}\\u{202e}");
	turn.end();
});

test("[TG17] a decision counts although Telegram refuses to hear that the tap arrived", async () => {
	bed = await createTelegramBed({ permissions: "ask" });
	const turn = await bed.ask("clean up");
	const decision = await askPermission(turn);
	bed.api.fault("answerCallbackQuery", { code: 400, description: "Bad Request: query is too old and response timeout expired" });
	bed.ann.tap(bed.last(), "Deny");
	await bed.tick();
	expect(decision.value).toMatchObject({ kind: "reject" });
});

test("[SE149] what a person runs and allows in a chat is in the audit log under their name", async () => {
	const records: string[] = [];
	const audit = heardAudit(({ kind, source, detail }) => void records.push(`${kind} by ${source}: ${detail}`));
	bed = await createTelegramBed({ permissions: "ask", audit });
	const turn = await bed.ask("work");
	const asked = turn.options.permit({ kind: "shell", summary: "Run a command" }, turn.signal);
	await bed.tick();
	bed.ann.tap(bed.last(), "Allow once");
	await bed.tick();
	expect(await asked).toEqual({ kind: "approve-once" });
	bed.ann.text("!ls");
	await bed.tick();
	expect(records).toEqual([
		expect.stringMatching(/^permission by telegram Ann \(\d+\): approve-once in .*: Run a command$/),
		expect.stringMatching(/^command by telegram Ann \(\d+\): ls$/),
	]);
	bed.shell.commands[0]?.finish();
	turn.end();
	await bed.tick();
});

test("[TG55] a tap of somebody who is not allowed decides nothing", async () => {
	bed = await createTelegramBed({ permissions: "ask", config: { groups: true } });
	const group = bed.api.group(-100500, "Team");
	bed.api.in({ id: 1001, name: "Ann" }, group).text("@rightseat_bot clean up");
	const turn = await bed.nextTurn();
	const decision = await askPermission(turn);
	bed.api.in(BOB, group).tap(bed.last(group.id), "Allow once");
	await bed.tick();
	expect(decision.value).toBeUndefined();
	bed.api.in({ id: 1001, name: "Ann" }, group).tap(bed.last(group.id), "Allow once");
	await bed.tick();
	expect(decision.value).toEqual({ kind: "approve-once" });
});

test("[TG55] after a restart an open question says that it ended, and its buttons only say that they are old", async () => {
	bed = await createTelegramBed({ permissions: "ask" });
	const turn = await bed.ask("clean up");
	await askPermission(turn);
	const prompt = bed.last();
	const data = prompt.buttons[0]?.[0]?.callbackData ?? "";
	bed = await bed.crash();
	expect(prompt).toMatchObject({ text: "⌛ Expired by a restart. Ask again if it still matters.", buttons: [] });
	const tap = bed.ann.press(prompt, data);
	await bed.tick();
	expect(bed.api.callbackAnswer(tap)).toMatchObject({ alert: true });
	const next = await bed.ask("still there?");
	next.end();
});

test("[TG55] a button that nobody knows is told to be old, and its keyboard goes", async () => {
	bed = await createTelegramBed();
	bed.ann.text("/list");
	await bed.ask("hello");
	bed.ann.text("/model");
	await bed.tick();
	const message = bed.last();
	const tap = bed.ann.press(message, "0123456789abcdef01234567");
	await bed.tick();
	expect(bed.api.callbackAnswer(tap)).toEqual({ text: "This button has expired. Ask again.", alert: true });
	expect(message.buttons).toEqual([]);
});
