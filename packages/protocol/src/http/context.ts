import * as z from "zod/mini";
import { type HttpRoute, ok } from "./route.ts";

/**
 * What fills the context: `system` is the agent's own prompt, `instructions` those of the folder and the person, `tools` and `mcp` what tools are described with,
 * `messages` what was said and read; `free` and `buffer` (kept for the answer) are room. Others may come.
 */
const contextPartSchema = z.object({ kind: z.string(), tokens: z.number() });

/** `GET /api/conversations/:id/context`: how full the context of the conversation's model is. */
export const contextAnswer = z.object({
	/** Null: not known yet. */
	tokens: z.nullable(z.number()),
	limit: z.nullable(z.number()),
	/** Empty where the agent says no more than how much it is. */
	categories: z.array(contextPartSchema),
	/** At so many tokens the agent makes room by itself. */
	compactionThreshold: z.optional(z.number()),
	/** What was said or read that takes most, the largest first: who said it, and its beginning. */
	heaviest: z.optional(z.array(z.object({ role: z.string(), label: z.string(), tokens: z.number() }))),
	/** When this was so; absent: now. The agent is not started for a look. */
	asOf: z.optional(z.string()),
});
/** A picture of what fills the context. */
export type ContextPicture = z.infer<typeof contextAnswer>;

/** An id that the sender makes: asked again under it, it is done once. */
const requestId = z.optional(z.string().check(z.minLength(1), z.maxLength(128)));

/** `POST /api/conversations/:id/compact`. */
export const compactBody = z.object({ requestId });
/** The turn in which it happens is told like any other; `messageId` is the prompt's. */
export const compactAnswer = z.object({ messageId: z.string(), duplicate: z.boolean() });

/** `POST /api/conversations/:id/aside`. */
export const asideBody = z.object({ question: z.string(), requestId });
/** The answer to a side question; it is kept nowhere. */
export const asideAnswer = z.object({ answer: z.string() });

const OF = "/api/conversations/:id";

/** The routes about what a conversation's model has before it. */
export const contextRoutes: HttpRoute[] = [
	{ method: "GET", path: `${OF}/context`, about: "What fills the context of its model.", answers: ok(contextAnswer), refusals: [404] },
	{
		method: "POST",
		path: `${OF}/compact`,
		about: "Have the history summarised now, to make room; only while nothing runs.",
		body: compactBody,
		answers: [{ status: 202, body: compactAnswer }],
		refusals: [404, 409],
	},
	{
		method: "POST",
		path: `${OF}/aside`,
		about: "Ask its model something that leaves no trace in it, also while a turn runs.",
		body: asideBody,
		answers: ok(asideAnswer),
		refusals: [404, 409, 413],
	},
];
