import * as z from "zod/mini";
import { conversationSchema } from "../model/conversation.ts";
import { modelSchema } from "../model/language-model.ts";
import { messageSchema } from "../model/message.ts";
import { toolRecordSchema } from "../model/turn.ts";

/** What the routes about conversations answer. */

/** One conversation as it stands now. */
export const conversationAnswer = z.object({ conversation: conversationSchema });
/** A page of conversations, in the order of the list. */
export const conversationsAnswer = z.object({ conversations: z.array(conversationSchema), nextCursor: z.optional(z.string()) });
/** A page of messages, oldest first; the cursor leads to older ones. */
export const messagesAnswer = z.object({ messages: z.array(messageSchema), nextCursor: z.optional(z.string()) });
/** The whole message: nothing in it is `truncated`. */
export const messageAnswer = z.object({ message: messageSchema });
/** The whole call: nothing in it is `truncated`. */
export const toolAnswer = z.object({ tool: toolRecordSchema });

/** A message that was found, with the piece of text around the match. */
export const searchResultSchema = z.object({
	conversationId: z.string(),
	/** Of a match in the title: the conversation's first message, or empty when it has none. */
	messageId: z.string(),
	title: z.string(),
	snippet: z.string(),
	createdAt: z.string(),
});
/** One match of a search. */
export type SearchResult = z.infer<typeof searchResultSchema>;
/** `GET /api/search`: every match that fits the page. */
export const searchAnswer = z.object({
	results: z.array(searchResultSchema),
	/** Hosts of the fleet that could not be asked. */
	missing: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
});

/** `GET /api/models`: what can be chosen, and which one is the default. */
export const modelsAnswer = z.object({
	models: z.array(modelSchema),
	default: z.string(),
	/** `unlisted`: the provider could not be asked or names none, and the models are a stand-in. */
	state: z.optional(z.enum(["listed", "unlisted"])),
	because: z.optional(z.string()),
});

/** A prompt was stored: what happened to it. `dropped`: sent before with the same clientMessageId, and taken out of the queue since. */
export const sentAnswer = z.object({
	messageId: z.string(),
	duplicate: z.boolean(),
	/** `outbox`: its host is away, and it waits here under its client id. */
	delivery: z.enum(["started", "queued", "steered", "dropped", "outbox"]),
});
