import * as z from "zod/mini";
import {
	contextItemSchema,
	conversationSchema,
	jobSchema,
	messageSchema,
	originSchema,
	permissionRequestSchema,
	questionSchema,
	queueItemSchema,
	runningCommandSchema,
	runningTurnSchema,
	streamStatusSchema,
	subAgentShape,
	turnOutcomeSchema,
	usageSchema,
	userMetadataSchema,
} from "./entities.ts";

/** Everything the server may say on `/ws`. Frames about a conversation carry its id, epoch and seq. */

const plain = <T extends string, S extends z.core.$ZodShape>(type: T, shape: S) =>
	z.object({ type: z.literal(type), data: z.object(shape) });

/** A frame that is an event of the conversation's log. */
const event = <T extends string, S extends z.core.$ZodShape>(type: T, shape: S) =>
	z.object({
		type: z.literal(type),
		data: z.object({ conversationId: z.string(), epoch: z.string(), seq: z.number(), ...shape }),
	});

const resolution = { requestId: z.string(), outcome: z.enum(["answered", "expired", "aborted"]), by: z.optional(originSchema) };

export const eventFrameSchema = z.discriminatedUnion("type", [
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
	event("copilot:delta", { messageId: z.string(), content: z.string() }),
	event("copilot:reasoning_delta", { reasoningId: z.string(), content: z.string() }),
	/** The thought is over; the server measures how long it took, so that everybody shows the same time. */
	event("copilot:reasoning_end", { reasoningId: z.string(), durationMs: z.number() }),
	event("copilot:reset", { messageId: z.string(), reasoningId: z.optional(z.string()) }),
	event("copilot:message", { messageId: z.string(), content: z.string() }),
	event("copilot:tool_start", {
		toolCallId: z.string(),
		toolName: z.string(),
		arguments: z.unknown(),
		startedAt: z.optional(z.string()),
		...subAgentShape,
	}),
	event("copilot:tool_output", { toolCallId: z.string(), content: z.string() }),
	event("copilot:tool_end", {
		toolCallId: z.string(),
		success: z.boolean(),
		result: z.optional(z.string()),
		error: z.optional(z.string()),
		durationMs: z.optional(z.number()),
		...subAgentShape,
	}),
	event("copilot:user_input_request", questionSchema.shape),
	event("copilot:user_input_resolved", { ...resolution, answer: z.optional(z.string()) }),
	event("copilot:permission_request", permissionRequestSchema.shape),
	event("copilot:permission_resolved", { ...resolution, decision: z.optional(z.string()) }),
	event("copilot:queue", { items: z.array(queueItemSchema) }),
	event("copilot:usage", { ...usageSchema.shape, agentId: z.optional(z.string()) }),
	event("copilot:notice", { code: z.string(), message: z.string() }),
	event("copilot:error", { code: z.string(), message: z.string(), retryable: z.optional(z.boolean()) }),
	/** Last of its turn. With the three optional fields a reader who watched the turn builds exactly the message that was stored. */
	event("copilot:idle", {
		messageId: z.optional(z.string()),
		outcome: turnOutcomeSchema,
		createdAt: z.optional(z.string()),
		durationMs: z.optional(z.number()),
		model: z.optional(z.string()),
	}),
	event("bash:start", {
		execId: z.string(),
		command: z.string(),
		cwd: z.string(),
		startedAt: z.string(),
		origin: originSchema,
		clientMessageId: z.optional(z.string()),
	}),
	event("bash:output", { execId: z.string(), stream: z.enum(["stdout", "stderr", "output"]), output: z.string() }),
	event("bash:done", {
		execId: z.string(),
		exitCode: z.nullable(z.number()),
		cwd: z.string(),
		truncated: z.boolean(),
		durationMs: z.number(),
		messageId: z.optional(z.string()),
	}),
	event("bash:context", { items: z.array(contextItemSchema) }),
	event("bash:job", { job: jobSchema }),
]);
export type EventFrame = z.infer<typeof eventFrameSchema>;
export type EventType = EventFrame["type"] | "copilot:stream-status";

const replyFrames = [
	z.object({ type: z.literal("pong") }),
	plain("error", { code: z.string(), message: z.string(), requestType: z.optional(z.string()) }),
	plain("copilot:ack", {
		conversationId: z.optional(z.string()),
		epoch: z.optional(z.string()),
		clientMessageId: z.optional(z.string()),
		messageId: z.string(),
		duplicate: z.optional(z.boolean()),
	}),
	plain("copilot:nack", {
		conversationId: z.optional(z.string()),
		clientMessageId: z.optional(z.string()),
		code: z.string(),
		message: z.string(),
		retryable: z.boolean(),
	}),
	/** Without `seq` and with `headSeq` and `mode` it is the answer to a subscribe; with `seq` it is an event. */
	plain("copilot:stream-status", {
		conversationId: z.string(),
		epoch: z.string(),
		seq: z.optional(z.number()),
		status: streamStatusSchema,
		headSeq: z.optional(z.number()),
		mode: z.optional(z.enum(["delta", "snapshot"])),
		turn: z.optional(z.object({ messageId: z.string(), userMessageId: z.string(), startedAt: z.string() })),
	}),
	plain("copilot:active-streams", { conversationIds: z.array(z.string()) }),
	plain("copilot:snapshot", {
		conversationId: z.string(),
		epoch: z.string(),
		/** Everything up to and including this event is in the snapshot. */
		seq: z.number(),
		status: streamStatusSchema,
		/** The newest messages, oldest first. */
		messages: z.array(messageSchema),
		nextCursor: z.optional(z.string()),
		turn: z.optional(runningTurnSchema),
		queue: z.array(queueItemSchema),
		questions: z.array(questionSchema),
		permissions: z.array(permissionRequestSchema),
		commands: z.array(runningCommandSchema),
		context: z.array(contextItemSchema),
	}),
	plain("conversation:created", { conversationId: z.string(), conversation: conversationSchema, ...conversationSchema.shape }),
	plain("conversation:updated", { conversationId: z.string(), conversation: conversationSchema, ...conversationSchema.shape }),
	plain("conversation:deleted", { conversationId: z.string(), id: z.string() }),
	/** A command without a conversation: the same frames without its fields. */
	plain("bash:jobs", { jobs: z.array(jobSchema) }),
	plain("bash:job_output", { conversationId: z.string(), bashId: z.string(), output: z.string(), status: z.string() }),
	plain("terminal:opened", { terminalId: z.string(), scrollback: z.string(), cols: z.number(), rows: z.number() }),
	plain("terminal:output", { terminalId: z.string(), data: z.string() }),
	plain("terminal:exit", { terminalId: z.string(), exitCode: z.nullable(z.number()) }),
	/** State of the runtime, the store and Telegram, to every connection when it changes. */
	plain("app:status", { runtime: z.unknown(), storage: z.unknown(), telegram: z.optional(z.unknown()) }),
] as const;
export const replyFrameSchema = z.discriminatedUnion("type", replyFrames);
export type ReplyFrame = z.infer<typeof replyFrameSchema>;

export const serverFrameSchema = z.union([eventFrameSchema, replyFrameSchema]);
export type ServerFrame = EventFrame | ReplyFrame;
export type ServerFrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

/** What an event says beside the conversation's id, epoch and seq. */
export type EventData<T extends EventType> = T extends "copilot:stream-status"
	? Omit<ServerFrameOf<"copilot:stream-status">["data"], "conversationId" | "epoch" | "seq">
	: Omit<Extract<EventFrame, { type: T }>["data"], "conversationId" | "epoch" | "seq">;

/** An event before it has its place in the log. */
export type LogEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];

/** A frame that has its place in the log of a conversation. */
export type LoggedFrame = EventFrame | (ServerFrameOf<"copilot:stream-status"> & { data: { seq: number } });

/** Is this frame an event, and not an answer to one reader? */
export function isLogged(frame: ServerFrame): frame is LoggedFrame {
	if (frame.type === "copilot:stream-status") return frame.data.seq !== undefined;
	return EVENT_TYPES.has(frame.type);
}

const EVENT_TYPES: ReadonlySet<string> = new Set(eventFrameSchema.def.options.flatMap((option) => option.def.shape.type.def.values));
