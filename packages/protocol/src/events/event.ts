import * as z from "zod/mini";
import { askEvents } from "./ask.ts";
import { changeEvents } from "./change.ts";
import { commandEvents } from "./command.ts";
import { jobEvents } from "./job.ts";
import { messageEvents } from "./message.ts";
import { queueEvents } from "./queue.ts";
import { toolEvents } from "./tool.ts";
import { type streamStatusFrameSchema, turnEvents } from "./turn.ts";

/** Everything that can happen in a conversation, as it stands in its log and on the wire. */
export const eventFrameSchema = z.discriminatedUnion("type", [
	...messageEvents,
	...turnEvents,
	...toolEvents,
	...askEvents,
	...queueEvents,
	...commandEvents,
	...jobEvents,
	...changeEvents,
]);
/** An event as every reader gets it: with its conversation, epoch and seq. */
export type EventFrame = z.infer<typeof eventFrameSchema>;
/** How a conversation stands; with a seq it is an event, without one the answer to a subscribe. */
export type StreamStatusFrame = z.infer<typeof streamStatusFrameSchema>;
/** The name of an event in the log. */
export type EventType = EventFrame["type"] | "copilot:stream-status";

/** What an event says beside the conversation's id, epoch and seq. */
export type EventData<T extends EventType> = T extends "copilot:stream-status"
	? Omit<StreamStatusFrame["data"], "conversationId" | "epoch" | "seq">
	: Omit<Extract<EventFrame, { type: T }>["data"], "conversationId" | "epoch" | "seq">;

/** An event before it has its place in the log. */
export type LogEvent = { [T in EventType]: { type: T; data: EventData<T> } }[EventType];
