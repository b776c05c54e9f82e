import * as z from "zod/mini";
import { rememberedRuleSchema } from "./remembered-rule.ts";

/** Something that the agent asks a person, with choices where it has some. */
export const questionSchema = z.object({
	requestId: z.string(),
	question: z.string(),
	choices: z.optional(z.array(z.string())),
	allowFreeform: z.boolean(),
	expiresAt: z.string(),
	/** `question` is the beginning of one of so many UTF-16 units. */
	truncated: z.optional(z.number()),
});
/** A question that waits for an answer. */
export type Question = z.infer<typeof questionSchema>;

/** What the agent wants to do once a person takes its plan; it changes nothing before. */
export const planRequestSchema = z.object({
	requestId: z.string(),
	summary: z.string(),
	/** Markdown; empty where the agent wrote none beside the summary. */
	plan: z.string(),
	/** How it may go on, as the agent names it: `interactive`, `autopilot`, `exit_only` … */
	actions: z.array(z.string()),
	expiresAt: z.string(),
});
/** A plan that waits for a person. */
export type PlanRequest = z.infer<typeof planRequestSchema>;

/** Something that the agent wants to do, in words that a person can judge. */
export const permissionRequestSchema = z.object({
	requestId: z.string(),
	/** shell, read, write, url, mcp, custom-tool … as the runtime names it. */
	kind: z.string(),
	/** One line for a person: what would be done. */
	summary: z.string(),
	toolName: z.optional(z.string()),
	toolCallId: z.optional(z.string()),
	/** The full command, path, diff or arguments. */
	detail: z.optional(z.string()),
	/** A sub-agent asks: which one, and what people call it. */
	agentId: z.optional(z.string()),
	agentName: z.optional(z.string()),
	expiresAt: z.string(),
	/** What would not be asked for again in its folder, if a person says so; absent where nothing can be remembered. */
	remember: z.optional(z.array(rememberedRuleSchema)),
	/** `detail` is the beginning of one of so many UTF-16 units: nobody should allow it by what stands here. */
	truncated: z.optional(z.number()),
});
/** A request that waits for a yes or a no. */
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;
