import { expect, test } from "vitest";
import type { LogEvent } from "../events/event.ts";
import type { RunningTurn } from "../model/turn.ts";
import { MAX_ASK_CHARS, MAX_TURN_ASKS } from "./asks.ts";
import { MAX_TOOL_OUTPUT_CHARS } from "./tools.ts";
import { beginTurn, finishTurn, foldTurn, MAX_TURN_NOTICES } from "./turn.ts";

const started = beginTurn({ messageId: "a1", userMessageId: "u1", startedAt: "2026-01-01T00:00:00.000Z" });
const play = (...events: LogEvent[]): RunningTurn => events.reduce(foldTurn, started);

const delta = (content: string, messageId = "m1"): LogEvent => ({ type: "copilot:delta", data: { messageId, content } });
const stalled: LogEvent = { type: "copilot:notice", data: { code: "stalled", message: "No word from the model for 60 s." } };
const toolStart: LogEvent = { type: "copilot:tool_start", data: { toolCallId: "t1", toolName: "Bash", arguments: {} } };
const output = (content: string): LogEvent => ({ type: "copilot:tool_output", data: { toolCallId: "t1", content } });
const failed = (error: string): LogEvent => ({ type: "copilot:tool_end", data: { toolCallId: "t1", success: false, error } });
const question = (requestId: string, text = "Which?"): LogEvent => ({
	type: "copilot:user_input_request",
	data: { requestId, question: text, allowFreeform: true, expiresAt: "2026-01-01T00:02:00.000Z" },
});
const prompt = (delivery: "queued" | "steered"): LogEvent => ({
	type: "copilot:message_updated",
	data: { messageId: "u2", content: "also", metadata: { origin: "web", delivery } },
});

test.each([
	["more text of the same message", delta(" there")],
	["reasoning", { type: "copilot:reasoning_delta", data: { reasoningId: "r1", content: "hm" } }],
	["a tool that begins", toolStart],
	["output of a tool", output("x")],
] as [string, LogEvent][])("[EV151] %s ends a notice", (_, event) => {
	const before = play(delta("Hello"), stalled);
	expect(before.notice).toEqual({ code: "stalled", message: "No word from the model for 60 s." });
	expect(foldTurn(before, event).notice).toBeUndefined();
});

test("[EV300] a lasting notice stays with the answer, once and bounded", () => {
	const cut = (what: number): LogEvent => ({
		type: "copilot:notice",
		data: { code: "answer-cut", message: `Cut ${what}.`, params: { reason: "max-tokens" }, lasting: true },
	});
	const turn = play(stalled, cut(1), cut(1), delta("more"));
	expect(turn.notice).toBeUndefined();
	const kept = [{ code: "answer-cut", message: "Cut 1.", params: { reason: "max-tokens" } }];
	expect(finishTurn(turn, { outcome: "completed", createdAt: "2026-01-01T00:00:09.000Z" }).metadata.notices).toEqual(kept);
	expect(play(...Array.from({ length: MAX_TURN_NOTICES + 5 }, (_, at) => cut(at))).notices).toHaveLength(MAX_TURN_NOTICES);
});

test("[WS120] a notice and an error keep the values of their sentence", () => {
	const notice: LogEvent = { type: "copilot:notice", data: { code: "stalled", message: "No word for 60 s.", params: { seconds: 60 } } };
	const error: LogEvent = {
		type: "copilot:error",
		data: { code: "cwd-missing", message: "Gone.", params: { reason: "gone", path: "/x" } },
	};
	const turn = play(notice, error);
	expect([turn.notice?.params, turn.error?.params]).toEqual([{ seconds: 60 }, { reason: "gone", path: "/x" }]);
});

test("[EV152] output that the error repeats is not kept a second time; other output is", () => {
	expect(play(toolStart, output("one\ntwo\n"), failed("Failed:\none\ntwo")).tools[0]).not.toHaveProperty("output");
	expect(play(toolStart, output("one\ntwo\n"), failed("Stopped.")).tools[0]).toMatchObject({ output: "one\ntwo\n", error: "Stopped." });
});

test("[EV153] a request stands where it was asked, first open, then with its answer, and goes into the stored message", () => {
	const waiting = play(delta("Hm."), question("q1"));
	expect(waiting.asks).toEqual([{ requestId: "q1", kind: "question", text: "Which?", afterParts: 1 }]);
	const resolved = { requestId: "q1", outcome: "answered" as const, answer: "A", by: "telegram" as const };
	const answered = foldTurn(waiting, { type: "copilot:user_input_resolved", data: resolved });
	expect(answered.asks).toEqual([
		{ requestId: "q1", kind: "question", text: "Which?", afterParts: 1, outcome: "answered", answer: "A", by: "telegram" },
	]);
	const ended = finishTurn(answered, { outcome: "completed", createdAt: "2026-01-01T00:00:09.000Z" });
	expect(ended.metadata.asks).toEqual(answered.asks);
});

test("[CV108] a prompt that goes back to the queue leaves the turn", () => {
	expect(play(delta("Hello"), prompt("steered")).parts.map((part) => part.kind)).toEqual(["text", "steer"]);
	expect(play(delta("Hello"), prompt("steered"), prompt("steered"), prompt("queued")).parts.map((part) => part.kind)).toEqual(["text"]);
});

test("[EV155] times come with the events: no reader looks at its own clock", () => {
	const turn = play(
		{ type: "copilot:reasoning_delta", data: { reasoningId: "r1", content: "hm" } },
		{ type: "copilot:reasoning_end", data: { reasoningId: "r1", durationMs: 1_234 } },
		toolStart,
		{ type: "copilot:tool_end", data: { toolCallId: "t1", success: true, result: "ok", durationMs: 56 } },
	);
	expect(turn.parts[0]).toMatchObject({ kind: "reasoning", durationMs: 1_234 });
	expect(turn.tools[0]).toMatchObject({ durationMs: 56 });
	const message = finishTurn(turn, { outcome: "completed", createdAt: "2026-01-01T00:00:09.000Z", durationMs: 9_000, model: "m" });
	expect([message.createdAt, message.metadata.durationMs, message.metadata.model]).toEqual(["2026-01-01T00:00:09.000Z", 9_000, "m"]);
});

test("[EV156] live output keeps its end, requests the newest, each cut between characters", () => {
	const flood = play(toolStart, output("x".repeat(MAX_TOOL_OUTPUT_CHARS)), output("😀".repeat(10)));
	expect(flood.tools[0]?.output).toHaveLength(MAX_TOOL_OUTPUT_CHARS);
	expect(play(toolStart, output(`😀${"x".repeat(MAX_TOOL_OUTPUT_CHARS - 1)}`)).tools[0]?.output).toBe(
		"x".repeat(MAX_TOOL_OUTPUT_CHARS - 1),
	);
	const many = play(...Array.from({ length: MAX_TURN_ASKS + 5 }, (_, index) => question(`q${index}`, "?".repeat(9 * MAX_ASK_CHARS))));
	expect(many.asks).toHaveLength(MAX_TURN_ASKS);
	expect(many.asks?.[0]).toMatchObject({ requestId: "q5", text: "?".repeat(MAX_ASK_CHARS) });
});
