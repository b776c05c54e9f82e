import * as z from "zod/mini";

/** A `!cmd` that is running now. */
export const runningCommandSchema = z.object({
	execId: z.string(),
	command: z.string(),
	cwd: z.string(),
	startedAt: z.string(),
	/** The newest output, bounded. */
	output: z.string(),
	clientMessageId: z.optional(z.string()),
	/** `command` is the beginning of one of so many UTF-16 units. */
	truncated: z.optional(z.number()),
});
/** A command as readers see it while it runs. */
export type RunningCommand = z.infer<typeof runningCommandSchema>;

/** A `!cmd` result that the next prompt will carry. */
export const contextItemSchema = z.object({
	messageId: z.string(),
	command: z.string(),
	exitCode: z.nullable(z.number()),
	chars: z.number(),
});
/** A result that waits for the next prompt. */
export type ContextItem = z.infer<typeof contextItemSchema>;
