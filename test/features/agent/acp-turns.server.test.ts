import { expect, test } from "vitest";
import type { AgentSession } from "../../../packages/server/src/core/ports/agent-runtime.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { useAcp } from "./acp-harness.ts";
import { lastEvent, ofKind, runTurn, shownText, startTurn } from "./runtime-harness.ts";

const start = useAcp();

/** Everything that the agent sent before, also right after the end of a turn, has come when it answers this. */
const answered = (session: AgentSession) => session.setModel("small");

test("[AC77] two answers to one prompt, an answer to nothing and what comes after the end change no turn", async () => {
	const session = await start().open();
	expect(ofKind(await runTurn(session, "unknown-response\nsay One.\ntwice\nlate A title"), "turn-end")).toEqual([
		{ kind: "turn-end", outcome: "completed" },
	]);
	const next = await runTurn(session, "say Two.");
	expect(shownText(next)).toBe("Two.");
	expect(ofKind(next, "turn-end")).toEqual([{ kind: "turn-end", outcome: "completed" }]);
	expect(ofKind(next, "notice")).toEqual([]);
});

test("[AC78] what an agent says without being asked stands at the beginning of the next turn, and is told", async () => {
	const session = await start().open();
	await runTurn(session, "say One.\nunprompted By the way.");
	await answered(session);
	const next = await runTurn(session, "say Two.");
	expect(ofKind(next, "notice")).toMatchObject([{ code: "agent-spoke" }]);
	expect(ofKind(next, "message-end").map(({ content }) => content)).toEqual(["By the way.", "Two."]);
	expect(ofKind(await runTurn(session, "say Three."), "notice")).toEqual([]);
});

test("[AC78] a permission that is asked for while no turn runs is refused, and told", async () => {
	const asked: string[] = [];
	const session = await start().open({
		permit: async ({ summary }) => {
			asked.push(summary);
			return { kind: "approve-once" };
		},
	});
	await runTurn(session, "say One.\nlate-permit");
	await answered(session);
	const next = await runTurn(session, "last");
	expect(shownText(next)).toBe('{"permit":"no"}');
	expect(ofKind(next, "notice")).toMatchObject([{ code: "agent-asked-late", params: { what: "Too late" } }]);
	expect(asked).toEqual([]);
});

test("[AC79] updates and requests for a session that we do not know are nobody's", async () => {
	const session = await start(["early-updates"]).open();
	const events = await runTurn(session, "stranger");
	expect(shownText(events)).toBe("Stranger: error -32602");
});

test("[AC80] a tool that is never closed, never announced, reopened or asked for without a word is shown once and ended once", async () => {
	const session = await start().open();
	const events = await runTurn(session, "open-tool\norphan-update\nreopen\nbare-permit");
	const starts = ofKind(events, "tool-start").map(({ toolCallId }) => toolCallId);
	expect(starts.sort()).toEqual(["again", "bare", "never-closed", "unannounced"]);
	expect(ofKind(events, "tool-end").map(({ toolCallId, success }) => [toolCallId, success])).toEqual([
		["unannounced", true],
		["again", true],
		["never-closed", false],
		["bare", false],
	]);
	expect(shownText(events)).toBe("Bare: once");
	expect(lastEvent(events)).toEqual({ kind: "turn-end", outcome: "completed" });
});

test("[AC81] whatever a prompt is answered with is one readable end, and the next turn works", async () => {
	const session = await start().open();
	const ends = async (prompt: string) => lastEvent(await runTurn(session, prompt));
	expect(await ends("say x\nstop banana")).toEqual({ kind: "turn-end", outcome: "completed" });
	expect(await ends("say x\nstop cancelled")).toEqual({ kind: "turn-end", outcome: "completed" });
	expect(await ends("say x\nnull")).toMatchObject({ outcome: "error", error: { code: "agent-protocol" } });
	expect(await ends("fail 1001 The inner process is gone")).toMatchObject({
		outcome: "error",
		error: { message: expect.stringContaining("inner process") },
	});
	expect(await ends("fail 401")).toMatchObject({ outcome: "error", error: { code: "provider-error" } });
	expect(await ends("swallow")).toMatchObject({ outcome: "error", error: { params: { reason: "did-nothing" } } });
	expect(await ends("odd\nsay Still here.")).toEqual({ kind: "turn-end", outcome: "completed" });
});

test("[AC81] an error of the model that Codex gives as an answer is an error", async () => {
	const session = await start([], { id: "codex" }).open();
	const events = await runTurn(session, "error-text 401 Unauthorized");
	expect(shownText(events)).toBe("401 Unauthorized");
	expect(lastEvent(events)).toMatchObject({ outcome: "error", error: { code: "provider-error" } });
});

test("[AC81] text that is repeated after a cut stream is shown as it came", async () => {
	const session = await start().open();
	expect(shownText(await runTurn(session, "repeat again "))).toBe("againagain");
});

test("[AC82] a request that we never announced is refused at once", async () => {
	const session = await start().open();
	const events = await runTurn(session, "request fs/write_text_file\nrequest terminal/create\nrequest craft/drainMidTurnQueue");
	expect(shownText(events)).toBe("fs/write_text_file: error -32601terminal/create: error -32601craft/drainMidTurnQueue: error -32601");
});

test("[AC83] noise, cut characters, half characters and bytes that are no text do no harm", async () => {
	expect(shownText(await runTurn(await start(["noise"]).open(), "noise\nsay One.\nnoise"))).toBe("One.");
	const session = await start().open();
	expect(shownText(await runTurn(session, "split grüße 你好 🙂"))).toBe("grüße 你好 🙂");
	expect(shownText(await runTurn(session, "surrogate"))).toBe("half \ufffd here");
	expect(shownText(await runTurn(session, "invalid-utf8"))).toBe("\ufffd(");
});

test("[AC83] fifty thousand updates at once arrive whole and in order", async () => {
	const session = await start().open();
	const words = shownText(await runTurn(session, "flood 50000"))
		.trim()
		.split(" ");
	expect([words.length, words[0], words.at(-1)]).toEqual([50_000, "1", "50000"]);
});

test("[AC83] endless words on standard error hold nobody up", async () => {
	const session = await start(["stderr-flood"]).open();
	expect(shownText(await runTurn(session, "stderr-flood 20\nsay Done."))).toBe("Done.");
});

test("[AC83] a line of 40 MB ends the turn with one readable error, and the next prompt goes on", async () => {
	const session = await start().open();
	const events = await runTurn(session, "say Before.\nbig-line 40");
	expect(shownText(events)).toBe("Before.");
	expect(lastEvent(events)).toMatchObject({
		outcome: "interrupted",
		error: { code: "agent-protocol", message: expect.stringContaining("32 MB") },
	});
	expect(shownText(await runTurn(session, "history"))).toContain("say Before.");
});

test("[AC410] an answer of many megabytes in one line arrives whole, with what follows in order", async () => {
	const session = await start().open();
	const text = shownText(await runTurn(session, "say Before.\nbig-line 3\nsay After."));
	expect([text.length, text.startsWith("Before.x"), text.endsWith("xAfter.")]).toEqual([3 * 1024 * 1024 + 13, true, true]);
});

test("[AC413] the last words of an agent that dies are heard although they are a large line", async () => {
	const session = await start().open();
	const events = await runTurn(session, "big-line 3\nsay Last.\ndie");
	expect(shownText(events).slice(-6)).toBe("xLast.");
	expect(lastEvent(events)).toMatchObject({ outcome: "interrupted", error: { code: "agent-died" } });
});

test("[AC411] a tool with very many values is shown and ended, and a message with too many ends the turn readably", async () => {
	const session = await start().open();
	const events = await runTurn(session, "many-values 100000\nsay After.");
	expect(ofKind(events, "tool-end")).toMatchObject([{ toolCallId: "many", success: true, result: "done" }]);
	expect(shownText(events)).toBe("After.");
	const error = { code: "agent-protocol", message: expect.stringContaining("500,000 values") };
	expect(lastEvent(await runTurn(session, "say Before.\nmany-values 1000000"))).toMatchObject({ outcome: "interrupted", error });
	expect(shownText(await runTurn(session, "history"))).toContain("say Before.");
});

test("[AC28] an agent that retries in silence is not dead: the silence is told, and the turn goes on", async () => {
	const clock = createFakeClock();
	const session = await start([], { clock }).open();
	const turn = startTurn(session, "say Hm.\nsteerable");
	await turn.until(({ kind }) => kind === "text-delta");
	for (let waited = 0; waited < 20_000; waited += 5_000) {
		await answered(session);
		await clock.advance(5_000);
	}
	expect(ofKind(turn.events, "notice")[0]).toMatchObject({ code: "stalled", params: { seconds: 20 } });
	await session.steer({ prompt: "go on", displayPrompt: "go on" });
	expect(lastEvent(await turn.done)).toEqual({ kind: "turn-end", outcome: "completed" });
});

test("[AC27] plan, title, usage and thoughts reach the reader", async () => {
	const session = await start().open();
	const events = await runTurn(session, "think Hm.\nplan *one, >two\ntitle A title\nusage 500 1000 0.5\nsay Done.");
	expect(ofKind(events, "plan")).toMatchObject([
		{
			entries: [
				{ content: "one", status: "completed" },
				{ content: "two", status: "in_progress" },
			],
		},
	]);
	expect(ofKind(events, "title")).toEqual([{ kind: "title", title: "A title" }]);
	expect(ofKind(events, "usage")).toMatchObject([{ model: "small", contextTokens: 500, contextLimit: 1000, cost: 0.5 }]);
	expect(ofKind(events, "reasoning-delta")).toMatchObject([{ content: "Hm." }]);
});
