import * as z from "zod/mini";
import { reachedLimitSchema } from "./budget.ts";
import { messageChangesSchema } from "./change.ts";
import { paramsSchema } from "./params.ts";
import { rememberedRuleSchema } from "./remembered-rule.ts";
import { subAgentSchema } from "./sub-agent.ts";
import { originSchema } from "./vocabulary.ts";

/** What a turn cost, as far as the provider tells. */
export const usageSchema = z.object({
	inputTokens: z.number(),
	outputTokens: z.number(),
	model: z.string(),
	contextTokens: z.optional(z.number()),
	contextLimit: z.optional(z.number()),
	cost: z.optional(z.number()),
});
/** Tokens, and what is left of the context. */
export type Usage = z.infer<typeof usageSchema>;

/** Set where a sub-agent did it: which one, and the call that started it. A reader that does not know them shows it like any other. */
export const subAgentShape = { agentId: z.optional(z.string()), parentToolCallId: z.optional(z.string()) };

/**
 * Marks what stands somewhere only in part: under the name of each field that was cut, how large the whole is, a text in UTF-16 units (`arguments` and
 * `diffs`: of their JSON) and a list in items. What is cut keeps its shape: a text its beginning, a value its fields with shorter strings, a list its newest items. The whole
 * comes from `GET /api/conversations/:id/messages/:messageId` once the turn has ended, of one call at any time from `…/tools/:toolCallId`. Absent: all of it is here.
 */
const wholeSize = z.optional(z.number());

/** What a call changes in one file; without `oldText` the file is new. */
export const toolDiffSchema = z.object({ path: z.string(), oldText: z.optional(z.string()), newText: z.string() });
/** A change of one file, as the agent shows it. */
export type ToolDiff = z.infer<typeof toolDiffSchema>;

/** One step of an agent's plan. */
export const planEntrySchema = z.object({
	content: z.string(),
	status: z.enum(["pending", "in_progress", "completed"]),
	priority: z.optional(z.enum(["high", "medium", "low"])),
});
/** A step that the agent means to take, takes or has taken. */
export type PlanEntry = z.infer<typeof planEntrySchema>;

/** One call of a tool. `truncated`: see `wholeSize`; results and arguments of ordinary size are never cut. */
export const toolRecordSchema = z.object({
	toolCallId: z.string(),
	toolName: z.string(),
	arguments: z.unknown(),
	/** What the agent calls it, in words for a person. */
	title: z.optional(z.string()),
	/** `agent`: it ran in a shell of the agent's own, not in the conversation's. */
	shell: z.optional(z.literal("agent")),
	/** Files that it changes, one entry each. */
	diffs: z.optional(z.array(toolDiffSchema)),
	/** Absent while the tool runs. */
	success: z.optional(z.boolean()),
	result: z.optional(z.string()),
	error: z.optional(z.string()),
	/** Live output so far (its end), while the tool runs, and for good when it was stopped before its result came. */
	output: z.optional(z.string()),
	startedAt: z.optional(z.string()),
	/** Nobody was asked: these remembered permissions let it run. */
	allowedBy: z.optional(z.array(rememberedRuleSchema)),
	durationMs: z.optional(z.number()),
	...subAgentShape,
	truncated: z.optional(z.object({ arguments: wholeSize, diffs: wholeSize, result: wholeSize, error: wholeSize, output: wholeSize })),
});
/** A tool call with its result, as far as it went. */
export type ToolRecord = z.infer<typeof toolRecordSchema>;

/**
 * The order in which text, reasoning, tools and steered prompts came within one turn. `truncated`: `content` is the beginning of a text of so many UTF-16
 * units; in a running turn it is the end of it, so that what is still to come can be appended.
 */
export const turnPartSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("text"), messageId: z.string(), content: z.string(), truncated: wholeSize }),
	z.object({
		kind: z.literal("reasoning"),
		reasoningId: z.string(),
		content: z.string(),
		durationMs: z.optional(z.number()),
		truncated: wholeSize,
	}),
	z.object({ kind: z.literal("tool"), toolCallId: z.string() }),
	z.object({ kind: z.literal("steer"), messageId: z.string() }),
]);
/** A piece of a turn, in the order in which people see it. */
export type TurnPart = z.infer<typeof turnPartSchema>;

/** Why a turn failed, with a code that every language has a sentence for. */
export const turnErrorSchema = z.object({
	code: z.string(),
	message: z.string(),
	params: z.optional(paramsSchema),
	retryable: z.optional(z.boolean()),
});
/** The error of a turn, as stored and shown. */
export type TurnError = z.infer<typeof turnErrorSchema>;

/** Something about a turn that a person should know, with a code that every language has a sentence for. */
export const noticeSchema = z.object({ code: z.string(), message: z.string(), params: z.optional(paramsSchema) });
/** A notice, as shown while a turn runs or kept with its answer. */
export type Notice = z.infer<typeof noticeSchema>;

/** A question, permission request, plan or reached limit of a turn, and how it was settled. */
export const turnAskSchema = z.object({
	requestId: z.string(),
	kind: z.enum(["question", "permission", "budget", "plan"]),
	text: z.string(),
	/** Of a plan: the whole of it, as it was taken if it was. Of many plans in one turn only the newest are kept whole. */
	plan: z.optional(z.string()),
	/** Of a limit that was reached: its numbers, for readers of any language. */
	reached: z.optional(reachedLimitSchema),
	/** A form, which a reader that does not know them shows as a question: who asked. Its answer is what the person did with it, never what was filled in. */
	form: z.optional(z.string()),
	/** How many parts the turn had when it was asked, so that it stays in its place. */
	afterParts: z.number(),
	/** Absent while it waits. */
	outcome: z.optional(z.enum(["answered", "expired", "aborted"])),
	answer: z.optional(z.string()),
	/** Of a plan: it was taken. */
	approved: z.optional(z.boolean()),
	by: z.optional(originSchema),
});
/** A question or request that was settled within a turn. */
export type TurnAsk = z.infer<typeof turnAskSchema>;

/** A turn as far as it went: the fold of its events. */
export const runningTurnSchema = z.object({
	/** Id that the stored assistant message will have. */
	messageId: z.string(),
	userMessageId: z.string(),
	startedAt: z.string(),
	parts: z.array(turnPartSchema),
	tools: z.array(toolRecordSchema),
	/** Those that work for the agent; what they say is no part of the answer. */
	subAgents: z.optional(z.array(subAgentSchema)),
	asks: z.optional(z.array(turnAskSchema)),
	plan: z.optional(z.array(planEntrySchema)),
	usage: z.optional(usageSchema),
	/** Over with the next sign of life. */
	notice: z.optional(noticeSchema),
	/** Those that stay with the answer. */
	notices: z.optional(z.array(noticeSchema)),
	error: z.optional(turnErrorSchema),
	/** What it changed in files; known just before its end. */
	changes: z.optional(messageChangesSchema),
	/** How many there are of what a snapshot could not carry whole; the newest are here. */
	truncated: z.optional(z.object({ parts: wholeSize, tools: wholeSize, asks: wholeSize, plan: wholeSize, subAgents: wholeSize })),
});
/** What readers see of a turn that runs. */
export type RunningTurn = z.infer<typeof runningTurnSchema>;
