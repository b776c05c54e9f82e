import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";
import { subAgentStateSchema } from "../model/sub-agent.ts";
import { todoListSchema } from "../model/todo.ts";
import { noticeSchema, planEntrySchema, subAgentShape, usageSchema } from "../model/turn.ts";
import { streamStatusSchema, turnOutcomeSchema } from "../model/vocabulary.ts";
import { event } from "./event-frame.ts";

/** What the agent says in a turn, and how the turn stands. */
export const turnEvents = [
	event("copilot:delta", { messageId: z.string(), content: z.string(), ...subAgentShape }),
	event("copilot:reasoning_delta", { reasoningId: z.string(), content: z.string() }),
	/** The thought is over; the server measures how long it took, so that everybody shows the same time. */
	event("copilot:reasoning_end", { reasoningId: z.string(), durationMs: z.number() }),
	event("copilot:reset", { messageId: z.string(), reasoningId: z.optional(z.string()), ...subAgentShape }),
	event("copilot:message", { messageId: z.string(), content: z.string(), ...subAgentShape }),
	/** A sub-agent begins, goes on after its end, or ends. What it says and does carries its id and is no part of the answer. */
	event("copilot:subagent", subAgentStateSchema.shape),
	/** The agent's plan as it stands now; takes the place of the one before. */
	event("copilot:plan", { entries: z.array(planEntrySchema) }),
	/** The agent's to-do list as it stands now, in a turn or outside of one; takes the place of the one before. */
	event("copilot:todos", todoListSchema.shape),
	event("copilot:usage", { ...usageSchema.shape, agentId: z.optional(z.string()) }),
	/** `lasting`: it stays with the answer; any other is over with the next sign of life. */
	event("copilot:notice", { ...noticeSchema.shape, lasting: z.optional(z.boolean()) }),
	event("copilot:error", { code: z.string(), message: z.string(), params: z.optional(paramsSchema), retryable: z.optional(z.boolean()) }),
	/** Last of its turn. With the three optional fields a reader who watched the turn builds exactly the message that was stored. */
	event("copilot:idle", {
		messageId: z.optional(z.string()),
		outcome: turnOutcomeSchema,
		createdAt: z.optional(z.string()),
		durationMs: z.optional(z.number()),
		model: z.optional(z.string()),
	}),
] as const;

/** Without `seq` and with `headSeq` and `mode` it is the answer to a subscribe; with `seq` it is an event. */
export const streamStatusFrameSchema = z.object({
	type: z.literal("copilot:stream-status"),
	/** Of the subscribe that it answers, if that had one. */
	requestId: z.optional(z.string()),
	data: z.object({
		conversationId: z.string(),
		epoch: z.string(),
		seq: z.optional(z.number()),
		status: streamStatusSchema,
		headSeq: z.optional(z.number()),
		mode: z.optional(z.enum(["delta", "snapshot"])),
		turn: z.optional(z.object({ messageId: z.string(), userMessageId: z.string(), startedAt: z.string() })),
	}),
});
