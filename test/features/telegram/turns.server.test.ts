import { afterEach, expect, test } from "vitest";
import { ANN, BOB, createTelegramBed, type TelegramBed } from "./telegram-harness.ts";

let bed: TelegramBed;
afterEach(() => bed.close());

test("[TG20] the answer is a new message that rings, and the status message goes after it", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("hello");
	await bed.advance(2_000);
	expect(bed.last()).toMatchObject({ silent: true, buttons: [[{ text: "⏹ Stop" }]] });
	expect(bed.last().text).toContain("Working");
	turn.text("Hi **Ann**");
	turn.end();
	await bed.settle();
	expect(bed.said().map(({ text, silent, entities }) => ({ text, silent, entities }))).toEqual([
		{ text: "Hi Ann", silent: false, entities: [{ type: "bold", offset: 3, length: 3 }] },
	]);
	const order = bed.api.calls.filter((call) => call.outcome === "ok").map((call) => call.method);
	expect(order.lastIndexOf("sendMessage")).toBeLessThan(order.indexOf("deleteMessage"));
});

test("[TG25] 200 pieces in ten seconds make one status message and at most eleven edits a second apart, typing every four seconds", async () => {
	bed = await createTelegramBed({ rateLimits: true });
	const turn = await bed.ask("write a lot");
	for (let piece = 0; piece < 200; piece++) {
		turn.text(`piece ${piece} `);
		await bed.advance(50, 50);
	}
	turn.end();
	await bed.settle();
	const edits = bed.api.callsOf("editMessageText");
	const gaps = edits.slice(1).map((edit, index) => edit.at - (edits[index]?.at ?? 0));
	expect(edits.length).toBeLessThanOrEqual(11);
	expect(edits.length).toBeGreaterThanOrEqual(7);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1_000);
	expect(new Set(edits.map((edit) => edit.params.text)).size).toBe(edits.length);
	expect(bed.api.callsOf("sendChatAction")).toHaveLength(3);
	expect(bed.said().map(({ silent }) => silent)).toEqual([false]);
	expect(bed.said()[0]?.text).toContain("piece 199");
	const typed = bed.api.callsOf("sendChatAction").length;
	await bed.advance(10_000, 1_000);
	expect(bed.api.callsOf("sendChatAction")).toHaveLength(typed);
	expect(bed.api.calls.filter((call) => call.outcome === "refused")).toEqual([]);
});

test("[TG25] in a group edits are three seconds apart", async () => {
	bed = await createTelegramBed({ config: { groups: true } });
	const group = bed.api.group(-100500, "Team");
	bed.api.in(ANN, group).text("@rightseat_bot hello");
	const turn = await bed.nextTurn();
	for (let piece = 0; piece < 60; piece++) {
		turn.text(`piece ${piece} `);
		await bed.advance(200, 200);
	}
	const edits = bed.api.callsOf("editMessageText");
	const gaps = edits.slice(1).map((edit, index) => edit.at - (edits[index]?.at ?? 0));
	expect(edits.length).toBeGreaterThanOrEqual(2);
	expect(Math.min(...gaps)).toBeGreaterThanOrEqual(3_000);
	turn.end();
});

test("[TG21] the status tells the tool, its newest output and the elapsed time", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("test it");
	turn.emit({ kind: "tool-start", toolCallId: "t1", toolName: "Bash", arguments: { command: "npm test" } });
	turn.emit({ kind: "tool-output", toolCallId: "t1", content: "line 1\nline 2\n" });
	await bed.advance(12_000, 500);
	expect(bed.last().text).toMatch(/^⏳ Working · 1[12] s\n▸ Bash: npm test\n\nline 1\nline 2$/);
	turn.end();
});

test("[TG21] a turn that ends at once shows no status message", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("quick");
	turn.text("done");
	turn.end();
	await bed.advance(2_000);
	expect(bed.api.callsOf("sendMessage")).toHaveLength(1);
	expect(bed.api.callsOf("deleteMessage")).toHaveLength(0);
});

test("[TG22] a failed turn keeps its text and tells the error", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("go");
	turn.text("Half an answer");
	turn.end("error", { code: "provider-error", message: "The model is busy. Try again in a minute." });
	await bed.settle();
	expect(bed.last().text).toBe("Half an answer\n\n⚠️ The model is busy. Try again in a minute.");
});

test("[TG66] what is asked on the page is shown in the chat as a short quotation, with its answer", async () => {
	bed = await createTelegramBed();
	(await bed.ask("hello")).end();
	await bed.settle();
	bed.conversations.prompt({ conversationId: bed.conversation(), prompt: "from the page", origin: "web" });
	const turn = await bed.nextTurn();
	turn.text("answer for both");
	turn.end();
	await bed.settle();
	expect(bed.said().slice(-2)).toMatchObject([
		{ text: "🖥 from the page", silent: true, entities: [{ type: "blockquote" }] },
		{ text: "answer for both", silent: false, replyTo: undefined },
	]);
});

test("[TG66] what is said in the chat is on the page, with its origin", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("from my pocket");
	turn.text("seen everywhere");
	turn.end();
	await bed.settle();
	const { messages } = bed.conversations.messages(bed.conversation(), { limit: 10 });
	expect(messages.map(({ role, content }) => ({ role, content }))).toEqual([
		{ role: "user", content: "from my pocket" },
		{ role: "assistant", content: "seen everywhere" },
	]);
	expect(messages[0]?.metadata).toMatchObject({ origin: "telegram" });
});

test("[TG67] nothing rings while a page shows the conversation", async () => {
	let looking = true;
	bed = await createTelegramBed({ presence: { isLooking: () => looking } });
	const first = await bed.ask("hello");
	first.text("one");
	first.end();
	await bed.settle();
	expect(bed.last()).toMatchObject({ text: "one", silent: true });
	looking = false;
	const second = await bed.ask("again");
	second.text("two");
	second.end();
	await bed.settle();
	expect(bed.last()).toMatchObject({ text: "two", silent: false });
});

test("[TG50] Stop, /stop and a bare stop end the turn of this chat only, at once", async () => {
	bed = await createTelegramBed({ config: { allowedUsers: [ANN.id, BOB.id] } });
	const mine = await bed.ask("long work");
	bed.api.private(BOB).text("other work");
	const other = await bed.nextTurn();
	mine.text("so far");
	await bed.advance(12_000, 1_000);
	const status = bed.last();
	const tap = bed.ann.tap(status, "Stop");
	await bed.settle();
	expect(mine.signal.aborted).toBe(true);
	expect(other.signal.aborted).toBe(false);
	expect(bed.api.callbackAnswer(tap)).toEqual({ text: "Stopped.", alert: false });
	expect(status).toMatchObject({ text: "⏹ Stopped after 12 s.", buttons: [] });
	expect(bed.last().text).toBe("so far");

	const second = await bed.ask("more");
	bed.ann.text("/stop");
	await bed.settle();
	expect(second.signal.aborted).toBe(true);
	const third = await bed.ask("even more");
	bed.ann.text("Stop!");
	await bed.settle();
	expect(third.signal.aborted).toBe(true);
	bed.ann.text("/stop");
	await bed.settle();
	expect(bed.last().text).toBe("Nothing is running.");
});

test("[TG230] stopping drops the queue with its count and ends a running command", async () => {
	bed = await createTelegramBed();
	const turn = await bed.ask("first");
	bed.ann.text("second");
	bed.ann.text("third");
	await bed.settle();
	bed.ann.text("!sleep 60");
	await bed.settle();
	bed.ann.text("/stop");
	await bed.settle();
	expect(turn.signal.aborted).toBe(true);
	expect(bed.shell.commands[0]?.killed).toBe(true);
	expect(bed.conversations.queue(bed.conversation())).toEqual([]);
	expect(bed.said().map((message) => message.text)).toContain("Stopped. 1 command ended. 2 queued messages dropped.");
});

/** A turn runs, and two more messages wait, each with its notice. */
async function twoWait() {
	bed = await createTelegramBed();
	const turn = await bed.ask("first");
	const sent = [bed.ann.text("second"), bed.ann.text("third")] as const;
	await bed.settle();
	const [noticeOfSecond, noticeOfThird] = bed.said();
	if (noticeOfSecond === undefined || noticeOfThird === undefined) throw new Error("Two notices were expected.");
	return { turn, sent, noticeOfSecond, noticeOfThird };
}

test("[TG51] while a turn runs, messages wait in order, each with a notice that replies to it, until it is its turn", async () => {
	const { turn, sent, noticeOfSecond, noticeOfThird } = await twoWait();
	expect([noticeOfSecond, noticeOfThird].map(({ text, replyTo }) => ({ text, replyTo }))).toEqual([
		{ text: "🕓 Queued #1: second", replyTo: sent[0].messageId },
		{ text: "🕓 Queued #2: third", replyTo: sent[1].messageId },
	]);
	turn.end();
	const next = await bed.nextTurn();
	expect(next.input.displayPrompt).toBe("second");
	await bed.settle();
	expect(noticeOfSecond.deletedAt).toBeDefined();
	next.end();
});

test("[TG267] a message that waits can be cancelled, and the others move up", async () => {
	const { turn, noticeOfSecond, noticeOfThird } = await twoWait();
	bed.ann.tap(noticeOfSecond, "Cancel");
	await bed.settle();
	expect(noticeOfSecond).toMatchObject({ text: "✖ Dropped from the queue.", buttons: [] });
	expect(noticeOfThird.text).toBe("🕓 Queued #1: third");
	turn.end();
	const next = await bed.nextTurn();
	expect(next.input.displayPrompt).toBe("third");
	next.end();
});

test("[TG268] a message that waits can be sent into the running turn", async () => {
	const { turn, noticeOfThird } = await twoWait();
	bed.ann.tap(noticeOfThird, "Send now");
	await bed.settle();
	expect(turn.steered.map((input) => input.prompt)).toEqual(["third"]);
	expect(noticeOfThird).toMatchObject({ text: "⚡ Sent into the running turn.", buttons: [] });
	turn.end();
});

test("[TG269] a message that waits can be edited; after it was taken up the person is told to send a new one", async () => {
	const { turn, sent } = await twoWait();
	bed.ann.edit(sent[0], "second, corrected");
	await bed.settle();
	turn.end();
	const next = await bed.nextTurn();
	expect(next.input.displayPrompt).toBe("second, corrected");
	bed.ann.edit(sent[0], "too late");
	await bed.settle();
	expect(bed.last().text).toContain("as a new one");
	next.end();
});

test("[TG232] a full queue is told and nothing that waits is lost by a restart", async () => {
	bed = await createTelegramBed();
	await bed.ask("first");
	for (let index = 1; index <= 21; index++) bed.ann.text(`waiting ${index}`);
	await bed.settle();
	expect(bed.last().text).toMatch(/^⚠️ 20 prompts wait already/);
	bed = await bed.crash();
	expect(bed.conversations.queue(bed.conversation())).toHaveLength(20);
	expect(bed.said().filter((message) => message.text.startsWith("🕓 Queued #"))).toHaveLength(20);
});

test("[TG56] !cmd shows a live tail, then the result with its exit code as a new message", async () => {
	bed = await createTelegramBed();
	const typed = bed.ann.text("!npm test");
	await bed.settle();
	const [command] = bed.shell.commands;
	expect(command?.request.command).toBe("npm test");
	command?.output("running\n");
	await bed.advance(2_000);
	expect(bed.last()).toMatchObject({ silent: true, text: "$ npm test\n⏳ 1 s\nrunning" });
	const live = bed.last();
	command?.output("3 passed\n");
	command?.finish({ exitCode: 1, cwd: "/srv/app", durationMs: 2_400 });
	await bed.settle();
	expect(bed.said()).toMatchObject([
		{ text: "$ npm test\n❌ exit code 1 · 2 s · /srv/app\nrunning\n3 passed", replyTo: typed.messageId, silent: false },
	]);
	expect(bed.last().entities).toMatchObject([{ type: "pre" }]);
	expect(live.deletedAt).toBeDefined();
	expect(bed.runtime.opened).toEqual([]);
});

test("[TG57] /ps lists running processes with a button to end each", async () => {
	bed = await createTelegramBed();
	(await bed.ask("hello")).end();
	await bed.settle();
	const conversationId = bed.conversation();
	const startedAt = new Date(bed.clock.now() - 65_000).toISOString();
	bed.shell.jobs = () => [{ bashId: "bash_1", conversationId, command: "npm run dev", status: "running", ports: [5173], startedAt }];
	const killed: string[] = [];
	bed.shell.killJob = async (_, bashId) => {
		killed.push(bashId);
		return { ok: true, message: "Ended bash_1." };
	};
	bed.ann.text("/ps");
	await bed.settle();
	expect(bed.last().text).toBe("bash_1 · 1 min 5 s · port 5173\n  npm run dev");
	const tap = bed.ann.tap(bed.last(), "End bash_1");
	await bed.settle();
	expect(killed).toEqual(["bash_1"]);
	expect(bed.api.callbackAnswer(tap)?.text).toBe("Ended bash_1.");
});
