import * as z from "zod/mini";
import { messageChangesSchema } from "./change.ts";
import { subAgentSchema } from "./sub-agent.ts";
import { noticeSchema, planEntrySchema, toolRecordSchema, turnAskSchema, turnErrorSchema, turnPartSchema, usageSchema } from "./turn.ts";
import { originSchema, turnOutcomeSchema } from "./vocabulary.ts";

/** A file that goes with a prompt, without its content. */
export const attachmentSchema = z.object({
	id: z.string(),
	name: z.string(),
	mimeType: z.string(),
	size: z.number(),
});
/** A file of a prompt, as readers see it. */
export type Attachment = z.infer<typeof attachmentSchema>;

/** What is known of an answer beside its text: parts, tools, how it ended. */
export const assistantMetadataSchema = z.object({
	outcome: turnOutcomeSchema,
	reasoning: z.optional(z.string()),
	tools: z.array(toolRecordSchema),
	parts: z.array(turnPartSchema),
	/** Those that worked for the agent, with what they said. */
	subAgents: z.optional(z.array(subAgentSchema)),
	asks: z.optional(z.array(turnAskSchema)),
	/** The agent's last plan. */
	plan: z.optional(z.array(planEntrySchema)),
	usage: z.optional(usageSchema),
	/** What a person should know about this answer, such as that it was cut at a limit of the model. */
	notices: z.optional(z.array(noticeSchema)),
	error: z.optional(turnErrorSchema),
	model: z.optional(z.string()),
	durationMs: z.optional(z.number()),
	/** What it changed in files. */
	changes: z.optional(messageChangesSchema),
	/** The prompt this answers. */
	inReplyTo: z.optional(z.string()),
});
/** How an answer came about and ended. */
export type AssistantMetadata = z.infer<typeof assistantMetadataSchema>;

/** What is known of a prompt or a command beside its text: where it came from, and its fate. */
export const userMetadataSchema = z.object({
	origin: originSchema,
	attachments: z.optional(z.array(attachmentSchema)),
	/** This message is the result of a `!cmd`; the fields below it belong to that. */
	bash: z.optional(z.boolean()),
	exitCode: z.optional(z.nullable(z.number())),
	cwd: z.optional(z.string()),
	command: z.optional(z.string()),
	execId: z.optional(z.string()),
	durationMs: z.optional(z.number()),
	truncated: z.optional(z.boolean()),
	changes: z.optional(messageChangesSchema),
	/** Where a `!cmd` result stands: waiting for the next prompt, used by it, or dropped by the person. */
	context: z.optional(z.enum(["pending", "used", "dropped"])),
	/** The person cut this `!cmd` result to so many characters for the next prompt; 0 also when it had to give way to newer ones. */
	contextMaxChars: z.optional(z.number()),
	/** The id that its sender gave it: whoever sent it knows it again before the confirmation comes. */
	clientMessageId: z.optional(z.string()),
	/** So many older results gave way before this one. */
	contextLeftOut: z.optional(z.number()),
	/** So often the provider refused the prompt that carried this result. */
	contextRefused: z.optional(z.number()),
	/** No prompt: the agent was told to do this. `compact`: to summarise its history. A reader that does not know it shows a prompt. */
	task: z.optional(z.literal("compact")),
	/** The prompt waits in the queue, or joined a running turn. */
	delivery: z.optional(z.enum(["queued", "taken", "steered"])),
});
/** Where a prompt came from, and what became of it. */
export type UserMetadata = z.infer<typeof userMetadataSchema>;

/**
 * How large the whole is of what this message carries only in part (see `toolRecordSchema` for calls, `turnPartSchema` for parts): texts in UTF-16 units,
 * lists in items. Pages and snapshots cut what is very large, `GET /api/conversations/:id/messages/:messageId` never does.
 */
export const messageTruncatedSchema = z.object({
	content: z.optional(z.number()),
	reasoning: z.optional(z.number()),
	parts: z.optional(z.number()),
	tools: z.optional(z.number()),
	asks: z.optional(z.number()),
	plan: z.optional(z.number()),
	subAgents: z.optional(z.number()),
	/** Of a `!cmd`. */
	command: z.optional(z.number()),
});
/** What was left out of a message, and how much. */
export type MessageTruncated = z.infer<typeof messageTruncatedSchema>;

/** What a person or the agent said, as stored. */
export const messageSchema = z.discriminatedUnion("role", [
	z.object({
		id: z.string(),
		role: z.literal("user"),
		content: z.string(),
		metadata: userMetadataSchema,
		createdAt: z.string(),
		truncated: z.optional(messageTruncatedSchema),
	}),
	z.object({
		id: z.string(),
		role: z.literal("assistant"),
		content: z.string(),
		metadata: assistantMetadataSchema,
		createdAt: z.string(),
		truncated: z.optional(messageTruncatedSchema),
	}),
]);
/** A stored message of either side. */
export type Message = z.infer<typeof messageSchema>;

/** What a person said or ran. */
export type UserMessage = Extract<Message, { role: "user" }>;

/** What a turn left behind. */
export type AssistantMessage = Extract<Message, { role: "assistant" }>;
