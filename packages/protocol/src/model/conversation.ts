import * as z from "zod/mini";
import { budgetSchema } from "./budget.ts";
import { permissionModeSchema, streamStatusSchema } from "./vocabulary.ts";

/** A conversation without its messages: what a list shows. */
export const conversationSchema = z.object({
	id: z.string(),
	title: z.string(),
	/** Which agent drives it, for good; `GET /api/agents` tells about it. */
	agent: z.string(),
	/** Empty: whatever the agent takes by itself. */
	model: z.string(),
	/** How its agent works: `agent` as it does by itself, any other is one of the modes that `GET /api/agents` names for it. */
	mode: z.string(),
	/** How hard its model thinks, of the efforts that `GET /api/agents` names. Empty: whatever the agent takes by itself. */
	effort: z.string(),
	/** Which agent of its trusted folder it is; absent: none. */
	agentProfile: z.optional(z.string()),
	cwd: z.string(),
	sdkSessionId: z.nullable(z.string()),
	pinned: z.boolean(),
	archived: z.boolean(),
	permissions: permissionModeSchema,
	/** MCP servers that are switched off in it, by name, each `false`; absent: none. */
	mcp: z.optional(z.record(z.string(), z.boolean())),
	/** What it may use in all; null: no limit of its own. */
	budget: z.optional(z.nullable(budgetSchema)),
	status: streamStatusSchema,
	/** A question, a limit or permission request is waiting for a person. */
	asking: z.boolean(),
	/** Where it lives, in a fleet; without one it lives here. */
	host: z.optional(z.object({ id: z.string(), name: z.string() })),
	/** Of the conversation's event log. */
	epoch: z.string(),
	/** `seq` of the newest event, so that a list can tell what was not read yet. */
	headSeq: z.number(),
	/** The conversation that this one was forked from: cut before that message, or, when none was named, after it; null where nothing stood before. */
	forkedFrom: z.optional(z.object({ conversationId: z.string(), messageId: z.nullable(z.string()) })),
	/** How many conversations were forked from this one; absent: none. */
	forks: z.optional(z.number()),
	createdAt: z.string(),
	updatedAt: z.string(),
});
/** A conversation as the list shows it. */
export type Conversation = z.infer<typeof conversationSchema>;
