import * as z from "zod/mini";
import { ownConversationIdSchema } from "./ids.ts";

/** Eight bytes of a hash over everything up to an event. */
export const chainSchema = z.string().check(z.regex(/^[0-9a-f]{16}$/));

const epoch = z.string().check(z.minLength(1), z.maxLength(64));
const seq = z.int().check(z.minimum(0));

/** How far a log goes, and which log it is. */
export const positionSchema = z.object({
	/** Wall clock of the owner when it began the epoch: the later history is the one that counts. */
	generation: z.int().check(z.minimum(0)),
	epoch,
	seq,
	/** Tells the same numbers of another history: a machine that was rolled back, a disk that was cloned. */
	chain: chainSchema,
});
/** A place in the log of a conversation, with its chain. */
export type Position = z.infer<typeof positionSchema>;

/** A live event: the text of its frame, or none when that is too large for one message and must be asked for. */
export const liveEventSchema = z.object({ ...positionSchema.shape, frame: z.optional(z.string()) });
/** An event as it travels. */
export type LiveEvent = z.infer<typeof liveEventSchema>;

/** The newest event of a conversation, in a beat. */
export const headSchema = z.object({ conversationId: ownConversationIdSchema, ...positionSchema.shape });
/** How far one conversation of a host has come. */
export type Head = z.infer<typeof headSchema>;

/** What of a message of the fleet everybody on the way can see; all of it is authenticated with what is sealed. */
export const sealedHeaderSchema = z.object({
	/** Number of the fleet's content key. */
	key: z.int().check(z.minimum(1)),
	from: z.string().check(z.regex(/^[a-z2-7]{16}$/)),
	epoch: z.optional(epoch),
	seq: z.optional(seq),
});
/** The open part of a sealed message. */
export type SealedHeader = z.infer<typeof sealedHeaderSchema>;
