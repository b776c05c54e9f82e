import * as z from "zod/mini";
import { MAX_PROMPT_CHARS } from "../limits.ts";

/** What the routes about the fleet take and answer. */

/** A host of the fleet. */
export const hostViewSchema = z.object({
	id: z.string(),
	name: z.string(),
	/** It is the one that answers. */
	self: z.boolean(),
	state: z.enum(["online", "offline"]),
	/** Null: it was not heard since this server started. */
	lastSeen: z.nullable(z.string()),
	/** Of Rightseat there; empty when it is not known. */
	version: z.string(),
});
/** A host as it is shown. */
export type HostView = z.infer<typeof hostViewSchema>;

/** A prompt that waits here for its host. */
export const outboxItemSchema = z.object({
	/** The client's id of it. */
	id: z.string(),
	conversationId: z.string(),
	host: z.string(),
	prompt: z.string(),
	/** How many files go with it. */
	attachments: z.number(),
	/** When a person wrote it, or said last that it is still wanted. */
	since: z.string(),
	/** `unconfirmed`: sent, without an answer. `asking`: so old that a person is asked first. `refused`: its host does not want it, see `code`. */
	state: z.enum(["waiting", "sending", "unconfirmed", "asking", "refused"]),
	code: z.optional(z.string()),
	/** It left this host, so dropping it may come too late, and it cannot be changed. */
	mayHaveArrived: z.boolean(),
});
/** A prompt that waits, as it is shown. */
export type OutboxItem = z.infer<typeof outboxItemSchema>;
/** `GET /api/outbox`: in their order. */
export const outboxAnswer = z.object({ items: z.array(outboxItemSchema) });
/** Other words for a prompt that was not sent yet. */
export const editOutboxBody = z.object({ prompt: z.string().check(z.minLength(1), z.maxLength(MAX_PROMPT_CHARS)) });
/** It waits no more; whether it may have arrived all the same. */
export const droppedAnswer = z.object({ mayHaveArrived: z.boolean() });
