import type { SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { createTurnTranslator, MAX_RESULT_CHARS } from "./turn-translator.ts";

function translate(...events: [type: string, data: object][]): TurnEvent[] {
	const out: TurnEvent[] = [];
	const translator = createTurnTranslator({ emit: (event) => out.push(event), takeResult: () => undefined });
	for (const [type, data] of events) {
		const event: SessionEvent = JSON.parse(JSON.stringify({ id: "e", parentId: null, timestamp: "", type, data }));
		translator.handle(event);
	}
	return out;
}

test("[RT2] a message that came without deltas is still shown, and one without text is not", () => {
	expect(
		translate(["assistant.message", { messageId: "m", content: "Whole." }], ["assistant.message", { messageId: "n", content: "" }]),
	).toEqual([
		{ kind: "text-delta", messageId: "m", content: "Whole." },
		{ kind: "message-end", messageId: "m", content: "Whole." },
	]);
});

test("[RT12] a retry before any text withdraws the reasoning alone, and one after nothing withdraws nothing", () => {
	expect(translate(["assistant.reasoning_delta", { reasoningId: "r", deltaContent: "Hm" }], ["model.turn_retry", {}])).toEqual([
		{ kind: "reasoning-delta", reasoningId: "r", content: "Hm" },
		{ kind: "message-reset", messageId: "r", reasoningId: "r" },
	]);
	expect(translate(["model.turn_retry", {}])).toEqual([]);
});

test("[RT12] a failure that the runtime does not retry is not announced as a retry", () => {
	const codes = (statusCode?: number) =>
		translate(["model.call_failure", { statusCode }]).map((event) => (event.kind === "notice" ? event.code : ""));
	expect(codes(400)).toEqual([]);
	expect(codes(403)).toEqual([]);
	expect(codes(503)).toEqual(["retrying"]);
	expect(codes(undefined)).toEqual(["retrying"]);
	expect(translate(...Array.from({ length: 8 }, (): [string, object] => ["model.call_failure", {}]))).toHaveLength(5);
});

test("[RT54] what people see of a tool's result is bounded", () => {
	const events = translate(
		["tool.execution_start", { toolCallId: "t", toolName: "view", arguments: { path: "big" } }],
		["tool.execution_complete", { toolCallId: "t", success: true, result: { content: "x".repeat(2 * MAX_RESULT_CHARS) } }],
	);
	const [, end] = events;
	expect(end?.kind === "tool-end" && end.result?.length).toBe(MAX_RESULT_CHARS);
});

test("[RT55] the summary that makes room in a long conversation is announced", () => {
	expect(translate(["session.compaction_start", {}])).toMatchObject([{ kind: "notice", code: "compacting" }]);
});
