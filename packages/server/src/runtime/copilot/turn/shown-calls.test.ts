import fc from "fast-check";
import { expect, test } from "vitest";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { type CallInput, MAX_RESULT_CHARS, nextCalls, type ShownCalls } from "./shown-calls.ts";

const by = { agentId: "a1", parentToolCallId: "task" };
const call = (toolCallId: string) => ({ toolCallId, toolName: "Bash", arguments: {} });
const partsOf = (toolCallId: string) => ({
	announced: { kind: "announced", call: call(toolCallId), by } satisfies CallInput,
	delivered: { kind: "delivered", call: call(toolCallId) } satisfies CallInput,
	output: { kind: "output", toolCallId, text: "live" } satisfies CallInput,
	returned: { kind: "returned", toolCallId, success: true, text: "our words" } satisfies CallInput,
	completed: { kind: "completed", toolCallId, success: true, text: "***" } satisfies CallInput,
	graceOver: { kind: "grace-over", toolCallId } satisfies CallInput,
	closed: { kind: "closed", error: "Stopped." } satisfies CallInput,
});
const { announced, delivered, output, returned, completed, graceOver, closed } = partsOf("t");

function play(inputs: CallInput[]): TurnEvent[] {
	let calls: ShownCalls = new Map();
	return inputs.flatMap((input) => {
		const step = nextCalls(calls, input);
		calls = step.calls;
		return step.events;
	});
}

const start = { kind: "tool-start", ...call("t"), ...by };
const end = { kind: "tool-end", toolCallId: "t", success: true, result: "our words", ...by };

test("[RT125] a call whose delivery overtakes its announcement is shown once, as the sub-agent's, with its output and our own words", () => {
	const live = { kind: "tool-output", toolCallId: "t", content: "live" };
	for (const late of [1, 2, 3, 4, 5]) {
		const parts: CallInput[] = [delivered, output, returned, completed];
		expect(play(parts.toSpliced(late - 1, 0, announced))).toEqual([start, live, end]);
	}
});

test("[RT125] in every order of announcement, deliveries and end a call is shown once, with one start and one end", () => {
	const parts: CallInput[] = [announced, delivered, delivered, returned, completed, output];
	fc.assert(
		fc.property(fc.shuffledSubarray(parts, { minLength: parts.length }), (order) => {
			// A tool answers after it was asked, and the runtime completes a call that was answered.
			fc.pre(order.indexOf(delivered) < order.indexOf(returned) && order.indexOf(returned) < order.indexOf(completed));
			fc.pre(order.lastIndexOf(delivered) < order.indexOf(completed));
			const shown = play([...order, graceOver, closed]).filter(({ kind }) => kind !== "tool-output");
			expect(shown).toEqual([start, end]);
		}),
	);
});

test("[RT125] whatever comes for several calls, starts and ends alternate for each, and nothing stays open at the end", () => {
	const some = fc.constantFrom(...["a", "b"].flatMap((id) => Object.values(partsOf(id)).filter(({ kind }) => kind !== "closed")));
	fc.assert(
		fc.property(fc.array(some, { maxLength: 30 }), (inputs) => {
			const events = play([...inputs, closed]);
			for (const id of ["a", "b"]) {
				const kinds = events.flatMap((event) => ("toolCallId" in event && event.toolCallId === id ? [event.kind] : []));
				const text = kinds.map((kind) => kind.replace("tool-", "")).join(" ");
				expect(text).toMatch(/^(start( output)* end ?)*$/);
			}
		}),
	);
});

test("[RT111] a call that nothing announces is shown when the grace is over, and ended by its own result", () => {
	const plain = { kind: "tool-start", ...call("t") };
	const over = { kind: "tool-end", toolCallId: "t", success: true, result: "our words" };
	expect(play([delivered, graceOver, returned, completed])).toEqual([plain, over]);
	expect(play([delivered, returned, graceOver])).toEqual([plain, over]);
});

test("[RT54] output and result of a call that waits for its announcement are bounded", () => {
	const long = "x".repeat(MAX_RESULT_CHARS);
	const events = play([
		delivered,
		{ ...output, text: long },
		{ ...output, text: long },
		{ ...returned, text: long + long },
		announced,
		completed,
	]);
	const sizes = events.map((event) =>
		event.kind === "tool-output" ? event.content.length : event.kind === "tool-end" && event.result?.length,
	);
	expect(sizes).toEqual([false, MAX_RESULT_CHARS, MAX_RESULT_CHARS]);
});
