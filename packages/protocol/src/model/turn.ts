import * as z from "zod/mini";
import { originSchema } from "./vocabulary.ts";

export const usageSchema = z.object({
	inputTokens: z.number(),
	outputTokens: z.number(),
	model: z.string(),
	contextTokens: z.optional(z.number()),
	contextLimit: z.optional(z.number()),
	cost: z.optional(z.number()),
});
export type Usage = z.infer<typeof usageSchema>;

/** Set where a sub-agent did it: which one, and the call that started it. A reader that does not know them shows it like any other. */
export const subAgentShape = { agentId: z.optional(z.string()), parentToolCallId: z.optional(z.string()) };

export const toolRecordSchema = z.object({
	toolCallId: z.string(),
	toolName: z.string(),
	arguments: z.unknown(),
	/** Absent while the tool runs. */
	success: z.optional(z.boolean()),
	result: z.optional(z.string()),
	error: z.optional(z.string()),
	/** Live output so far (its end), while the tool runs, and for good when it was stopped before its result came. */
	output: z.optional(z.string()),
	startedAt: z.optional(z.string()),
	durationMs: z.optional(z.number()),
	...subAgentShape,
});
export type ToolRecord = z.infer<typeof toolRecordSchema>;

/** The order in which text, reasoning, tools and steered prompts came within one turn. */
export const turnPartSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("text"), messageId: z.string(), content: z.string() }),
	z.object({
		kind: z.literal("reasoning"),
		reasoningId: z.string(),
		content: z.string(),
		durationMs: z.optional(z.number()),
	}),
	z.object({ kind: z.literal("tool"), toolCallId: z.string() }),
	z.object({ kind: z.literal("steer"), messageId: z.string() }),
]);
export type TurnPart = z.infer<typeof turnPartSchema>;

export const turnErrorSchema = z.object({
	code: z.string(),
	message: z.string(),
	retryable: z.optional(z.boolean()),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/** A question or permission request of a turn, and how it was settled. */
export const turnAskSchema = z.object({
	requestId: z.string(),
	kind: z.enum(["question", "permission"]),
	text: z.string(),
	/** How many parts the turn had when it was asked, so that it stays in its place. */
	afterParts: z.number(),
	/** Absent while it waits. */
	outcome: z.optional(z.enum(["answered", "expired", "aborted"])),
	answer: z.optional(z.string()),
	by: z.optional(originSchema),
});
export type TurnAsk = z.infer<typeof turnAskSchema>;

export const runningTurnSchema = z.object({
	/** Id that the stored assistant message will have. */
	messageId: z.string(),
	userMessageId: z.string(),
	startedAt: z.string(),
	parts: z.array(turnPartSchema),
	tools: z.array(toolRecordSchema),
	asks: z.optional(z.array(turnAskSchema)),
	usage: z.optional(usageSchema),
	notice: z.optional(z.object({ code: z.string(), message: z.string() })),
	error: z.optional(turnErrorSchema),
});
export type RunningTurn = z.infer<typeof runningTurnSchema>;
