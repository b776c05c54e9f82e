import { foldTurn } from "@rightseat/protocol/fold/turn";
import { type AssistantMessage, type Message, messageSchema, type UserMessage } from "@rightseat/protocol/model/message";
import { type RunningTurn, runningTurnSchema, type ToolRecord, type TurnPart } from "@rightseat/protocol/model/turn";
import fc from "fast-check";
import { expect, test } from "vitest";
import { fit, jsonBytes } from "../kernel/fit.ts";
import { previewMessage, previewTurn } from "./preview-answer.ts";

const text = fc
	.tuple(fc.constantFrom("a", "字", "😀", "\n", "\u0001"), fc.constantFrom(0, 1, 30, 2_000, 70_000))
	.map(([one, count]) => one.repeat(count));
const id = fc.constantFrom("i1", "i2", "x".repeat(300));
const parts: fc.Arbitrary<TurnPart[]> = fc.array(
	fc.oneof(
		fc.record({ kind: fc.constant("text" as const), messageId: id, content: text }),
		fc.record({ kind: fc.constant("reasoning" as const), reasoningId: id, content: text }),
		fc.record({ kind: fc.constant("tool" as const), toolCallId: id }),
	),
	{ maxLength: 30 },
);
const diffs = fc.array(fc.record({ path: id, oldText: text, newText: text }, { requiredKeys: ["path", "newText"] }), { maxLength: 5 });
const plan = fc.array(fc.record({ content: text, status: fc.constant("pending" as const) }), { maxLength: 30 });
const tools: fc.Arbitrary<ToolRecord[]> = fc.array(
	fc.record(
		{
			...{
				toolCallId: id,
				toolName: fc.constantFrom("Bash", "n".repeat(5_000)),
				arguments: fc.oneof(fc.record({ a: text, b: fc.array(text) }), text),
			},
			...{ result: text, error: text, output: text, diffs },
		},
		{ requiredKeys: ["toolCallId", "toolName", "arguments"] },
	),
	{ maxLength: 30 },
);
const asks = fc.array(fc.record({ requestId: id, kind: fc.constant("question" as const), text, afterParts: fc.nat(), answer: text }), {
	maxLength: 9,
});
const error = text.map((message) => ({ code: "c", message }));
const answer: fc.Arbitrary<AssistantMessage> = fc
	.record({ content: text, reasoning: text, parts, tools, asks, plan, error })
	.map(({ content, ...metadata }) => ({
		id: "a1",
		role: "assistant",
		content,
		createdAt: "t",
		metadata: { outcome: "completed", ...metadata },
	}));
const prompt: fc.Arbitrary<UserMessage> = fc
	.record({ content: text, command: text, cwd: fc.constant("/") })
	.map(({ content, ...metadata }) => ({ id: "u1", role: "user", content, createdAt: "t", metadata: { origin: "web", ...metadata } }));
const turn: fc.Arbitrary<RunningTurn> = fc
	.record({ parts, tools, asks, plan, error })
	.map((rest) => ({ messageId: "a1", userMessageId: "u1", startedAt: "t", ...rest }));
const maxBytes = fc.constantFrom(1_024, 20_000, 300_000);

test("[CV150] whatever a message holds, its preview has at most so many bytes, is a message, and says what it lacks", () => {
	fc.assert(
		fc.property(fc.oneof(answer, prompt), maxBytes, (message: Message, max) => {
			const preview = fit(message, max, previewMessage);
			expect(jsonBytes(preview)).toBeLessThanOrEqual(max);
			expect(messageSchema.parse(preview)).toEqual(preview);
			if (jsonBytes(message) <= max) expect(preview).toBe(message);
			const marks = JSON.stringify(preview).includes('"truncated":');
			// What is neither text nor a list of the model's is cut without a mark.
			if (!marks) expect({ ...preview, metadata: {} }).toEqual({ ...message, metadata: {} });
		}),
		{ numRuns: 60 },
	);
});

test("[CV150] whatever a turn holds, its preview has at most so many bytes, and ends as the turn does", () => {
	fc.assert(
		fc.property(turn, maxBytes, (whole, max) => {
			const preview = fit(whole, max, previewTurn);
			expect(jsonBytes(preview)).toBeLessThanOrEqual(max);
			expect(runningTurnSchema.parse(preview)).toEqual(preview);
			const last = (state: RunningTurn) => state.parts.findLast((part) => part.kind === "text")?.content ?? "";
			expect(last(whole).endsWith(last(preview))).toBe(true);
		}),
		{ numRuns: 60 },
	);
});

test("[CV151] an earlier text that goes on is shown as the end of it, without a hole", () => {
	const first = "the first words of the first text";
	const whole: RunningTurn = {
		...{ messageId: "a1", userMessageId: "u1", startedAt: "t", tools: [] },
		parts: [
			{ kind: "text", messageId: "m1", content: first },
			{ kind: "text", messageId: "m2", content: "the second text, which is long" },
		],
	};
	const goesOn = (turn: RunningTurn) => foldTurn(turn, { type: "copilot:delta", data: { messageId: "m1", content: ", and more" } });
	for (const text of [10, 40, 60]) {
		const [shown] = goesOn(previewTurn(whole, { text, field: 10, items: 10 })).parts;
		if (shown?.kind !== "text") throw new RangeError("It has no text.");
		expect(`${first}, and more`.endsWith(shown.content), shown.content).toBe(true);
		expect(shown.truncated).toBe(first.length + ", and more".length);
	}
});
