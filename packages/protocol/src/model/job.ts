import * as z from "zod/mini";

/** A background process started by the agent, or left running by a command. */
export const jobSchema = z.object({
	bashId: z.string(),
	conversationId: z.string(),
	command: z.string(),
	description: z.optional(z.string()),
	status: z.enum(["running", "exited", "killed", "timed_out", "lost"]),
	exitCode: z.optional(z.nullable(z.number())),
	pid: z.optional(z.number()),
	ports: z.optional(z.array(z.number())),
	startedAt: z.string(),
	endedAt: z.optional(z.string()),
	tail: z.optional(z.string()),
});
/** A background process as people see it. */
export type Job = z.infer<typeof jobSchema>;
