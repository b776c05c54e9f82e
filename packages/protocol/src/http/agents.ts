import * as z from "zod/mini";
import { paramsSchema } from "../model/params.ts";

/** Something to choose. */
const choiceSchema = z.object({ id: z.string(), name: z.string() });
/** One mode or effort of an agent, as people choose it. */
export type AgentChoice = z.infer<typeof choiceSchema>;

const capabilitiesSchema = z.object({
	/** Goes on in the same history after its process has ended. */
	resume: z.boolean(),
	/** Takes a prompt into the running turn; without it such a prompt is queued. */
	steer: z.boolean(),
	/** Has models to choose from. */
	models: z.boolean(),
	/** Sees pictures. */
	images: z.boolean(),
	/** Runs its commands in the conversation's shell. */
	sharedShell: z.boolean(),
	/** Answers side questions. Absent: no. */
	asides: z.optional(z.boolean()),
	/** Compacts when it is told to. Absent: not known before it is open. */
	compacts: z.optional(z.boolean()),
});

/** An agent as its last session had it, as the server remembers it. */
export const seenAgent = z.object({
	choices: z.object({ modes: z.array(choiceSchema), efforts: z.array(choiceSchema) }),
	capabilities: capabilitiesSchema,
});

/** An agent that a conversation can be driven by. */
export const agentSchema = z.object({
	id: z.string(),
	name: z.string(),
	kind: z.enum(["copilot", "acp"]),
	/** `idle`: nothing of it runs; the next prompt starts it. */
	state: z.enum(["ready", "idle", "starting", "restarting", "resting", "login-needed", "missing"]),
	/** Why it is not ready and what to do, in words, and the sentence's code and values. */
	message: z.optional(z.string()),
	code: z.optional(z.string()),
	params: z.optional(paramsSchema),
	version: z.optional(z.string()),
	capabilities: capabilitiesSchema,
	/** It was never used here, and what it can is not known: `capabilities` says the least. */
	untried: z.optional(z.boolean()),
	/** What a conversation with it can be set to, as it last said: ways to work (`agent` is its own) and how hard to think. Absent: nothing, or not known yet. */
	modes: z.optional(z.array(choiceSchema)),
	efforts: z.optional(z.array(choiceSchema)),
	/** What to type in a terminal to log in, and to install it; never run by the server. */
	loginCommand: z.optional(z.string()),
	installCommand: z.optional(z.string()),
	/** Whose account or key pays; absent where it is whatever the agent was set up with. */
	account: z.optional(z.string()),
});
/** An agent with its state and what it can do. */
export type Agent = z.infer<typeof agentSchema>;
/** Every agent, and the one of a new conversation. */
export const agentsAnswer = z.object({ agents: z.array(agentSchema), default: z.string() });
/** `GET /api/agents`: these, and those that are known by name, are not on this machine and could be installed. Absent in older servers. */
export const allAgentsAnswer = z.object({
	...agentsAnswer.shape,
	installable: z.optional(z.array(z.object({ id: z.string(), name: z.string(), installCommand: z.string() }))),
});

const listedSessionSchema = z.object({
	sessionId: z.string(),
	title: z.string(),
	cwd: z.string(),
	updatedAt: z.optional(z.string()),
	/** Another process has it open: what it adds from now on is not taken over. */
	isHeld: z.optional(z.boolean()),
});
/** `GET /api/agents/:id/sessions`: sessions that the agent keeps and that a conversation can go on with. */
export const agentSessionsAnswer = z.object({
	sessions: z.array(listedSessionSchema),
	/**
	 * Those with which none can: they work where conversations may not (`outside`), in a directory that is gone (`gone`), cannot be read (`damaged`), are too
	 * large (`too-large`), or lead out of their folder or to another user (`foreign`). Absent in older servers.
	 */
	unusable: z.optional(z.array(z.object({ ...listedSessionSchema.shape, problem: z.string() }))),
	nextCursor: z.optional(z.string()),
});
/** What the agent keeps, as people choose among it. */
export type AgentSessions = z.infer<typeof agentSessionsAnswer>;

/** `POST /api/conversations/:id/handover`: where the Copilot CLI goes on with it. */
export const handOverAnswer = z.object({
	sessionId: z.string(),
	/** The CLI has something of its own under the conversation's id, or has it open: this is another session. */
	isCopy: z.boolean(),
	/** What a person types on that machine. */
	command: z.string(),
});
