import * as z from "zod/mini";
import { subAgentShape } from "../model/turn.ts";
import { event } from "./event-frame.ts";

/** Tool calls of a turn. */
export const toolEvents = [
	event("copilot:tool_start", {
		toolCallId: z.string(),
		toolName: z.string(),
		arguments: z.unknown(),
		startedAt: z.optional(z.string()),
		...subAgentShape,
	}),
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
