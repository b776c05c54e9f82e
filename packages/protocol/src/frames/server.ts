import * as z from "zod/mini";
import { type EventFrame, eventFrameSchema, type StreamStatusFrame } from "../events/event.ts";
import { streamStatusFrameSchema } from "../events/turn.ts";
import { agentSchema } from "../http/agents.ts";
import { hostViewSchema, outboxItemSchema } from "../http/fleet.ts";
import { permissionRequestSchema, planRequestSchema, questionSchema } from "../model/ask.ts";
import { budgetRequestSchema } from "../model/budget.ts";
import { contextItemSchema, runningCommandSchema } from "../model/command.ts";
import { conversationSchema } from "../model/conversation.ts";
import { formRequestSchema } from "../model/form.ts";
import { jobSchema } from "../model/job.ts";
import { messageSchema } from "../model/message.ts";
import { paramsSchema } from "../model/params.ts";
import { queueItemSchema } from "../model/queue.ts";
import { todoListSchema } from "../model/todo.ts";
import { runningTurnSchema } from "../model/turn.ts";
import { streamStatusSchema } from "../model/vocabulary.ts";
import { echoedIdsShape } from "./echo.ts";

/** Everything the server may say on `/ws`. Frames about a conversation carry its id, epoch and seq. */

const plain = <T extends string, S extends z.core.$ZodShape>(type: T, shape: S) =>
	z.object({ type: z.literal(type), data: z.object(shape) });

/** Of the frame that is answered, if it had one. */
const requestId = z.optional(z.string());
const answer = <T extends string, S extends z.core.$ZodShape>(type: T, shape: S) =>
	z.object({ type: z.literal(type), requestId, data: z.object(shape) });

const replyFrames = [
	/** First on every socket: the version of this language, of the server, and the machine's name. */
	plain("hello", { protocol: z.number(), server: z.string(), host: z.string() }),
	z.object({ type: z.literal("pong"), requestId }),
	/** To a frame with a `requestId` and no other answer: it was carried out. */
	z.object({ type: z.literal("done"), requestId }),
	answer("error", {
		code: z.string(),
		message: z.string(),
		params: z.optional(paramsSchema),
		requestType: z.optional(z.string()),
		...echoedIdsShape,
	}),
	answer("copilot:ack", {
		conversationId: z.optional(z.string()),
		epoch: z.optional(z.string()),
		clientMessageId: z.optional(z.string()),
		messageId: z.string(),
		duplicate: z.optional(z.boolean()),
		/** What happened to a prompt; `outbox`: it waits here until its host is there. */
		delivery: z.optional(z.enum(["started", "queued", "steered", "dropped", "outbox"])),
	}),
	answer("copilot:nack", {
		conversationId: z.optional(z.string()),
		clientMessageId: z.optional(z.string()),
		code: z.string(),
		message: z.string(),
		params: z.optional(paramsSchema),
		retryable: z.boolean(),
	}),
	streamStatusFrameSchema,
	answer("copilot:active-streams", { conversationIds: z.array(z.string()) }),
	answer("copilot:snapshot", {
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
		plans: z.optional(z.array(planRequestSchema)),
		budgets: z.optional(z.array(budgetRequestSchema)),
		forms: z.optional(z.array(formRequestSchema)),
		/** The agent's to-do list; absent: it has none. */
		todos: z.optional(todoListSchema),
		commands: z.array(runningCommandSchema),
		context: z.array(contextItemSchema),
		/** Its host is away: this is how it stood then. */
		copyOf: z.optional(z.string()),
	}),
	plain("conversation:created", { conversationId: z.string(), conversation: conversationSchema, ...conversationSchema.shape }),
	plain("conversation:updated", { conversationId: z.string(), conversation: conversationSchema, ...conversationSchema.shape }),
	plain("conversation:deleted", { conversationId: z.string(), id: z.string() }),
	/** A command without a conversation: the same frames without its fields. */
	answer("bash:jobs", { jobs: z.array(jobSchema) }),
	answer("bash:job_output", { conversationId: z.string(), bashId: z.string(), output: z.string(), status: z.string() }),
	answer("terminal:opened", { terminalId: z.string(), scrollback: z.string(), cols: z.number(), rows: z.number() }),
	plain("terminal:output", { terminalId: z.string(), data: z.string() }),
	plain("terminal:exit", { terminalId: z.string(), exitCode: z.nullable(z.number()) }),
	/** The hosts of the fleet, or the prompts that wait for them, look different; to every connection. */
	plain("fleet:hosts", { hosts: z.array(hostViewSchema) }),
	plain("fleet:outbox", { items: z.array(outboxItemSchema) }),
	/** So many items are in the inbox; to every connection when one came or went. `GET /api/inbox` lists them. */
	plain("inbox:changed", { count: z.number() }),
	/** So many schedules there are; to every connection when one came, went or stands differently. `GET /api/schedules` lists them. */
	plain("schedules:changed", { count: z.number() }),
	/** State of the Copilot runtime, the store, Telegram and every agent, to every connection when it changes. */
	plain("app:status", {
		runtime: z.unknown(),
		storage: z.unknown(),
		telegram: z.optional(z.unknown()),
		agents: z.optional(z.array(agentSchema)),
	}),
] as const;
/** What the server says to one client only; it is not in the log. */
export const replyFrameSchema = z.discriminatedUnion("type", replyFrames);
/** A frame that answers or tells one client; it has no seq. */
export type ReplyFrame = z.infer<typeof replyFrameSchema>;
/** Those that may answer a frame of a client. */
export type AnswerFrame = Answering<ReplyFrame>;
type Answering<F> = F extends unknown ? ("requestId" extends keyof F ? F : never) : never;

/** Everything the server may say on the socket. */
export const serverFrameSchema = z.union([eventFrameSchema, replyFrameSchema]);
/** Any frame of the server: an event of the log, or a reply. */
export type ServerFrame = EventFrame | ReplyFrame;
/** The server frame of this name. */
export type ServerFrameOf<T extends ServerFrame["type"]> = Extract<ServerFrame, { type: T }>;

/** A frame that has its place in the log of a conversation. */
export type LoggedFrame = EventFrame | (StreamStatusFrame & { data: { seq: number } });

/** Is this frame an event, and not an answer to one reader? */
export function isLogged(frame: ServerFrame): frame is LoggedFrame {
	if (frame.type === "copilot:stream-status") return frame.data.seq !== undefined;
	return EVENT_TYPES.has(frame.type);
}

const EVENT_TYPES: ReadonlySet<string> = new Set(eventFrameSchema.def.options.flatMap((option) => option.def.shape.type.def.values));
