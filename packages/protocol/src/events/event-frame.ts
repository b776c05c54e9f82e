import * as z from "zod/mini";

/** A frame that is an event of the conversation's log: it carries the conversation, the epoch and its number there. */
export const event = <T extends string, S extends z.core.$ZodShape>(type: T, shape: S) =>
	z.object({
		type: z.literal(type),
		data: z.object({ conversationId: z.string(), epoch: z.string(), seq: z.number(), ...shape }),
	});
