import type { SessionEvent } from "@github/copilot-sdk";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { MAX_RESULT_CHARS } from "./shown-calls.ts";
import { NEW_TURN, nextTurn, type TurnState } from "./turn-state.ts";

function translateAll(...events: [type: string, data: object][]): TurnEvent[] {
	let turn: TurnState = {
		...NEW_TURN,
		phase: { at: "running", heard: { expected: new Set(), seen: new Set(), idle: false, steering: 0 } },
	};
	return events.flatMap(([type, data]) => {
		const event: SessionEvent = JSON.parse(JSON.stringify({ id: "e", parentId: null, timestamp: "", type, data }));
		const { state, effects } = nextTurn(turn, { kind: "event", event }, ({ message }) => ({ code: "provider-error", message }));
		turn = state;
		return effects.flatMap((effect) => (effect.do === "emit" ? [effect.event] : []));
	});
}

test("[RT2] a message that came without deltas is still shown, and one without text is not", () => {
	expect(
		translateAll(["assistant.message", { messageId: "m", content: "Whole." }], ["assistant.message", { messageId: "n", content: "" }]),
	).toEqual([
		{ kind: "text-delta", messageId: "m", content: "Whole." },
		{ kind: "message-end", messageId: "m", content: "Whole." },
	]);
});

test("[RT12] a retry before any text withdraws the reasoning alone, and one after nothing withdraws nothing", () => {
	expect(translateAll(["assistant.reasoning_delta", { reasoningId: "r", deltaContent: "Hm" }], ["model.turn_retry", {}])).toEqual([
		{ kind: "reasoning-delta", reasoningId: "r", content: "Hm" },
		{ kind: "message-reset", messageId: "r", reasoningId: "r" },
	]);
	expect(translateAll(["model.turn_retry", {}])).toEqual([]);
});

test("[RT12] a failure that the runtime does not retry is not announced as a retry", () => {
	const codes = (statusCode?: number) =>
		translateAll(["model.call_failure", { statusCode }]).map((event) => (event.kind === "notice" ? event.code : ""));
	expect(codes(400)).toEqual([]);
	expect(codes(403)).toEqual([]);
	expect(codes(503)).toEqual(["retrying"]);
	expect(codes(undefined)).toEqual(["retrying"]);
	expect(translateAll(...Array.from({ length: 8 }, (): [string, object] => ["model.call_failure", {}]))).toHaveLength(5);
});

test("[RT54] what people see of a tool's result is bounded", () => {
	const events = translateAll(
		["tool.execution_start", { toolCallId: "t", toolName: "view", arguments: { path: "big" } }],
		["tool.execution_complete", { toolCallId: "t", success: true, result: { content: "x".repeat(2 * MAX_RESULT_CHARS) } }],
	);
	const [, end] = events;
	expect(end?.kind === "tool-end" && end.result?.length).toBe(MAX_RESULT_CHARS);
});

test("[RT55] the summary that makes room in a long conversation is announced", () => {
	expect(translateAll(["session.compaction_start", {}])).toMatchObject([{ kind: "notice", code: "compacting" }]);
});
