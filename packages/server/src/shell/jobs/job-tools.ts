import * as z from "zod/mini";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { AgentTool } from "../../core/ports/agent-tool.ts";
import { parseArguments } from "../service/tool-arguments.ts";
import type { Jobs } from "./jobs.ts";

const outputSchema = z.object({ bash_id: z.string(), filter: z.optional(z.string()), new_only: z.optional(z.boolean()) });
const killSchema = z.object({ bash_id: z.string() });

/** `BashOutput` and `KillBash`: what the agent does with its background jobs. */
export function createJobTools(jobs: Jobs, conversation: ConversationId): AgentTool[] {
	const bashId = { type: "string", description: "The bash_id that Bash gave." };
	return [
		{
			name: "BashOutput",
			description:
				"Returns the output of a background job so far, and whether it still runs. filter keeps only lines that match a regular expression; nothing is lost by it. new_only returns what came since the last call with new_only.",
			parameters: {
				type: "object",
				properties: {
					bash_id: bashId,
					filter: { type: "string", description: "Regular expression; only lines that match are returned." },
					new_only: { type: "boolean", description: "Only what is new. Default: everything." },
				},
				required: ["bash_id"],
			},
			async run(args) {
				const parsed = parseArguments("BashOutput", outputSchema, args);
				if (!parsed.ok) return parsed.result;
				const { bash_id, filter, new_only } = parsed.value;
				const { ok, text } = await jobs.output({ conversation, bashId: bash_id, filter, newOnly: new_only ?? false, byAgent: true });
				return { ok, text };
			},
		},
		{
			name: "KillBash",
			description: "Ends a background job with all its processes: TERM first, KILL for what does not go.",
			parameters: { type: "object", properties: { bash_id: bashId }, required: ["bash_id"] },
			async run(args) {
				const parsed = parseArguments("KillBash", killSchema, args);
				if (!parsed.ok) return parsed.result;
				const { ok, message } = await jobs.kill({ conversation, bashId: parsed.value.bash_id, byAgent: true });
				return { ok, text: message };
			},
		},
	];
}
