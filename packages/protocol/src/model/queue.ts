import * as z from "zod/mini";

/** A prompt that waits. */
export const queueItemSchema = z.object({
	messageId: z.string(),
	content: z.string(),
	clientMessageId: z.optional(z.string()),
	/** `content` is the beginning of a prompt of so many UTF-16 units: whoever edits it gets the whole first, from `GET /api/conversations/:id/messages/:messageId`. */
	truncated: z.optional(z.number()),
});
/** A prompt that waits for the running turn. */
export type QueueItem = z.infer<typeof queueItemSchema>;
