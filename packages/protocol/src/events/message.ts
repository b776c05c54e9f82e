import * as z from "zod/mini";
import { userMetadataSchema } from "../model/message.ts";
import { originSchema } from "../model/vocabulary.ts";
import { event } from "./event-frame.ts";

/** Prompts and results of `!cmd`, as every channel sees them. */
export const messageEvents = [
	event("copilot:user_message", {
		messageId: z.string(),
		content: z.string(),
		metadata: userMetadataSchema,
		origin: originSchema,
		createdAt: z.string(),
	}),
	event("copilot:message_updated", {
		messageId: z.string(),
		content: z.string(),
		metadata: userMetadataSchema,
		createdAt: z.optional(z.string()),
	}),
	event("copilot:message_removed", { messageId: z.string() }),
] as const;
