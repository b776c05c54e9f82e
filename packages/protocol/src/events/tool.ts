import * as z from "zod/mini";
import { rememberedRuleSchema } from "../model/remembered-rule.ts";
import { subAgentShape, toolDiffSchema } from "../model/turn.ts";
import { event } from "./event-frame.ts";

/** Tool calls of a turn. */
export const toolEvents = [
	/** Again for a call that runs: more is known about it now. */
	event("copilot:tool_start", {
		toolCallId: z.string(),
		toolName: z.string(),
		arguments: z.unknown(),
		title: z.optional(z.string()),
		shell: z.optional(z.literal("agent")),
		startedAt: z.optional(z.string()),
		/** Nobody was asked: these remembered permissions let it run. */
		allowedBy: z.optional(z.array(rememberedRuleSchema)),
		...subAgentShape,
	}),
	/** What the call changes in one file; takes the place of what it said about the same file before. */
	event("copilot:tool_diff", { toolCallId: z.string(), ...toolDiffSchema.shape }),
	event("copilot:tool_output", { toolCallId: z.string(), content: z.string() }),
	event("copilot:tool_end", {
		toolCallId: z.string(),
		success: z.boolean(),
		result: z.optional(z.string()),
		error: z.optional(z.string()),
		durationMs: z.optional(z.number()),
		...subAgentShape,
	}),
] as const;
