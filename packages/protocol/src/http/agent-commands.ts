import * as z from "zod/mini";

/** Something that a prompt can begin with: `/name`. `skill`: of the folder or the person; `agent`: the agent's own. */
export const agentCommand = z.object({
	name: z.string(),
	description: z.string(),
	kind: z.enum(["skill", "agent"]),
	/** The file that brings it, where that is known. */
	source: z.optional(z.string()),
});
/** Something that a prompt can begin with. */
export type AgentCommand = z.infer<typeof agentCommand>;

/** `GET /api/conversations/:id/commands`. */
export const agentCommandsAnswer = z.object({ commands: z.array(agentCommand) });
