import * as z from "zod/mini";

export const queueItemSchema = z.object({ messageId: z.string(), content: z.string(), clientMessageId: z.optional(z.string()) });
export type QueueItem = z.infer<typeof queueItemSchema>;
