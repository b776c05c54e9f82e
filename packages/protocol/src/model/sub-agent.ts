import * as z from "zod/mini";

/** What is known of a sub-agent besides what it says: by whom it was started, how it stands, what it took. */
export const subAgentStateSchema = z.object({
	agentId: z.string(),
	/** The call that started it. */
	toolCallId: z.string(),
	/** For people. */
	name: z.string(),
	state: z.enum(["started", "completed", "failed"]),
	model: z.optional(z.string()),
	tokens: z.optional(z.number()),
	toolCalls: z.optional(z.number()),
	durationMs: z.optional(z.number()),
	error: z.optional(z.string()),
	/** It was stopped, by a person or with its turn. */
	cancelled: z.optional(z.boolean()),
	startedAt: z.optional(z.string()),
});
/** How a sub-agent stands. */
export type SubAgentState = z.infer<typeof subAgentStateSchema>;

/** A piece of what a sub-agent says and does, in the order in which it came. Its calls stand among the tools of the turn. */
export const subAgentPartSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("text"), messageId: z.string(), content: z.string() }),
	z.object({ kind: z.literal("tool"), toolCallId: z.string() }),
]);
/** A text or a call of a sub-agent. */
export type SubAgentPart = z.infer<typeof subAgentPartSchema>;

/** One sub-agent of a turn. `truncated`: the beginning of what it said and did is not here. */
export const subAgentSchema = z.object({
	...subAgentStateSchema.shape,
	parts: z.array(subAgentPartSchema),
	truncated: z.optional(z.boolean()),
});
/** A sub-agent with its own stream, apart from the answer. */
export type SubAgent = z.infer<typeof subAgentSchema>;
