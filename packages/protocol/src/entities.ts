import * as z from "zod/mini";

/** What a conversation, a message and their parts look like on the wire, over HTTP and in frames alike. */

export const turnOutcomeSchema = z.enum(["completed", "aborted", "interrupted", "error"]);
export type TurnOutcome = z.infer<typeof turnOutcomeSchema>;

export const streamStatusSchema = z.enum(["streaming", "idle", "completed", "error"]);
export type StreamStatus = z.infer<typeof streamStatusSchema>;

export const originSchema = z.enum(["web", "telegram", "api"]);
export type Origin = z.infer<typeof originSchema>;

export const permissionModeSchema = z.enum(["auto", "ask"]);
export type PermissionMode = z.infer<typeof permissionModeSchema>;

export const conversationSchema = z.object({
	id: z.string(),
	title: z.string(),
	model: z.string(),
	cwd: z.string(),
	sdkSessionId: z.nullable(z.string()),
	pinned: z.boolean(),
	archived: z.boolean(),
	permissions: permissionModeSchema,
	status: streamStatusSchema,
	/** A question or permission request is waiting for a person. */
	asking: z.boolean(),
	/** Of the conversation's event log. */
	epoch: z.string(),
	/** `seq` of the newest event, so that a list can tell what was not read yet. */
	headSeq: z.number(),
	createdAt: z.string(),
	updatedAt: z.string(),
});
export type Conversation = z.infer<typeof conversationSchema>;

export const attachmentSchema = z.object({
	id: z.string(),
	name: z.string(),
	mimeType: z.string(),
	size: z.number(),
});
export type Attachment = z.infer<typeof attachmentSchema>;

export const usageSchema = z.object({
	inputTokens: z.number(),
	outputTokens: z.number(),
	model: z.string(),
	contextTokens: z.optional(z.number()),
	contextLimit: z.optional(z.number()),
	cost: z.optional(z.number()),
});
export type Usage = z.infer<typeof usageSchema>;

/** Set where a sub-agent did it: which one, and the call that started it. A reader that does not know them shows it like any other. */
export const subAgentShape = { agentId: z.optional(z.string()), parentToolCallId: z.optional(z.string()) };

export const toolRecordSchema = z.object({
	toolCallId: z.string(),
	toolName: z.string(),
	arguments: z.unknown(),
	/** Absent while the tool runs. */
	success: z.optional(z.boolean()),
	result: z.optional(z.string()),
	error: z.optional(z.string()),
	/** Live output so far (its end), while the tool runs, and for good when it was stopped before its result came. */
	output: z.optional(z.string()),
	startedAt: z.optional(z.string()),
	durationMs: z.optional(z.number()),
	...subAgentShape,
});
export type ToolRecord = z.infer<typeof toolRecordSchema>;

/** The order in which text, reasoning, tools and steered prompts came within one turn. */
export const turnPartSchema = z.discriminatedUnion("kind", [
	z.object({ kind: z.literal("text"), messageId: z.string(), content: z.string() }),
	z.object({
		kind: z.literal("reasoning"),
		reasoningId: z.string(),
		content: z.string(),
		durationMs: z.optional(z.number()),
	}),
	z.object({ kind: z.literal("tool"), toolCallId: z.string() }),
	z.object({ kind: z.literal("steer"), messageId: z.string() }),
]);
export type TurnPart = z.infer<typeof turnPartSchema>;

export const turnErrorSchema = z.object({
	code: z.string(),
	message: z.string(),
	retryable: z.optional(z.boolean()),
});
export type TurnError = z.infer<typeof turnErrorSchema>;

/** A question or permission request of a turn, and how it was settled. */
export const turnAskSchema = z.object({
	requestId: z.string(),
	kind: z.enum(["question", "permission"]),
	text: z.string(),
	/** How many parts the turn had when it was asked, so that it stays in its place. */
	afterParts: z.number(),
	/** Absent while it waits. */
	outcome: z.optional(z.enum(["answered", "expired", "aborted"])),
	answer: z.optional(z.string()),
	by: z.optional(originSchema),
});
export type TurnAsk = z.infer<typeof turnAskSchema>;

export const assistantMetadataSchema = z.object({
	outcome: turnOutcomeSchema,
	reasoning: z.optional(z.string()),
	tools: z.array(toolRecordSchema),
	parts: z.array(turnPartSchema),
	asks: z.optional(z.array(turnAskSchema)),
	usage: z.optional(usageSchema),
	error: z.optional(turnErrorSchema),
	model: z.optional(z.string()),
	durationMs: z.optional(z.number()),
	/** The prompt this answers. */
	inReplyTo: z.optional(z.string()),
});
export type AssistantMetadata = z.infer<typeof assistantMetadataSchema>;

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
	/** The prompt waits in the queue, or joined a running turn. */
	delivery: z.optional(z.enum(["queued", "taken", "steered"])),
});
export type UserMetadata = z.infer<typeof userMetadataSchema>;

export const messageSchema = z.discriminatedUnion("role", [
	z.object({
		id: z.string(),
		role: z.literal("user"),
		content: z.string(),
		metadata: userMetadataSchema,
		createdAt: z.string(),
	}),
	z.object({
		id: z.string(),
		role: z.literal("assistant"),
		content: z.string(),
		metadata: assistantMetadataSchema,
		createdAt: z.string(),
	}),
]);
export type Message = z.infer<typeof messageSchema>;
export type UserMessage = Extract<Message, { role: "user" }>;
export type AssistantMessage = Extract<Message, { role: "assistant" }>;

export const queueItemSchema = z.object({ messageId: z.string(), content: z.string(), clientMessageId: z.optional(z.string()) });
export type QueueItem = z.infer<typeof queueItemSchema>;

export const questionSchema = z.object({
	requestId: z.string(),
	question: z.string(),
	choices: z.optional(z.array(z.string())),
	allowFreeform: z.boolean(),
	expiresAt: z.string(),
});
export type Question = z.infer<typeof questionSchema>;

export const permissionRequestSchema = z.object({
	requestId: z.string(),
	/** shell, read, write, url, mcp, custom-tool … as the runtime names it. */
	kind: z.string(),
	/** One line for a person: what would be done. */
	summary: z.string(),
	toolName: z.optional(z.string()),
	toolCallId: z.optional(z.string()),
	/** The full command, path, diff or arguments. */
	detail: z.optional(z.string()),
	expiresAt: z.string(),
});
export type PermissionRequest = z.infer<typeof permissionRequestSchema>;

/** A `!cmd` that is running now. */
export const runningCommandSchema = z.object({
	execId: z.string(),
	command: z.string(),
	cwd: z.string(),
	startedAt: z.string(),
	/** The newest output, bounded. */
	output: z.string(),
	clientMessageId: z.optional(z.string()),
});
export type RunningCommand = z.infer<typeof runningCommandSchema>;

/** A `!cmd` result that the next prompt will carry. */
export const contextItemSchema = z.object({
	messageId: z.string(),
	command: z.string(),
	exitCode: z.nullable(z.number()),
	chars: z.number(),
});
export type ContextItem = z.infer<typeof contextItemSchema>;

/** A background process started by the agent, or left running by a command. */
export const jobSchema = z.object({
	bashId: z.string(),
	conversationId: z.string(),
	command: z.string(),
	description: z.optional(z.string()),
	status: z.enum(["running", "exited", "killed", "timed_out", "lost"]),
	exitCode: z.optional(z.nullable(z.number())),
	pid: z.optional(z.number()),
	ports: z.optional(z.array(z.number())),
	startedAt: z.string(),
	endedAt: z.optional(z.string()),
	tail: z.optional(z.string()),
});
export type Job = z.infer<typeof jobSchema>;

export const runningTurnSchema = z.object({
	/** Id that the stored assistant message will have. */
	messageId: z.string(),
	userMessageId: z.string(),
	startedAt: z.string(),
	parts: z.array(turnPartSchema),
	tools: z.array(toolRecordSchema),
	asks: z.optional(z.array(turnAskSchema)),
	usage: z.optional(usageSchema),
	notice: z.optional(z.object({ code: z.string(), message: z.string() })),
	error: z.optional(turnErrorSchema),
});
export type RunningTurn = z.infer<typeof runningTurnSchema>;

export const modelSchema = z.object({
	id: z.string(),
	name: z.string(),
	/** Plainly a demo: no real model answers. */
	demo: z.optional(z.boolean()),
	vision: z.optional(z.boolean()),
	reasoning: z.optional(z.boolean()),
	contextLimit: z.optional(z.number()),
	multiplier: z.optional(z.number()),
});
export type Model = z.infer<typeof modelSchema>;
