import type { Message, UserMessage } from "@rightseat/protocol/entities";
import type { EventFrame, ServerFrameOf } from "@rightseat/protocol/server-frames";
import type { ConversationView, LiveTurn } from "./conversation-view.ts";
import { reduceEvent } from "./reduce-event.ts";

export type StreamStatusFrame = ServerFrameOf<"copilot:stream-status">;
export type SnapshotFrame = ServerFrameOf<"copilot:snapshot">;
export type ConversationFrame = EventFrame | StreamStatusFrame | SnapshotFrame;

export type Applied =
	| { kind: "applied"; view: ConversationView }
	/** Seen before, or nothing to do. */
	| { kind: "dropped" }
	/** Something is missing: subscribe again. The view stays as it is until the answer comes. */
	| { kind: "resubscribe" };

/** One frame about a conversation, applied purely. Only the next event of the same epoch changes anything. */
export function applyFrame(view: ConversationView, frame: ConversationFrame, now: number): Applied {
	if (frame.type === "copilot:snapshot") return { kind: "applied", view: fromSnapshot(view, frame.data, now) };
	if (frame.type === "copilot:stream-status" && frame.data.seq === undefined) {
		// The answer to a subscribe. With mode "snapshot" the view waits for the snapshot that follows.
		if (frame.data.mode === "snapshot") return { kind: "dropped" };
		if (frame.data.epoch !== view.epoch) return { kind: "resubscribe" };
		return frame.data.status === view.status ? { kind: "dropped" } : { kind: "applied", view: { ...view, status: frame.data.status } };
	}
	const { epoch, seq } = frame.data;
	if (view.epoch === undefined) return { kind: "dropped" };
	if (epoch !== view.epoch) return { kind: "resubscribe" };
	if (seq === undefined || seq <= view.lastSeq) return { kind: "dropped" };
	if (seq > view.lastSeq + 1) return { kind: "resubscribe" };
	return { kind: "applied", view: { ...reduceEvent(view, frame, now), lastSeq: seq } };
}

function fromSnapshot(view: ConversationView, data: SnapshotFrame["data"], now: number): ConversationView {
	const stored = data.messages.filter((message) => !isWaiting(message));
	const kept = olderKept(view.messages, stored);
	return {
		...view,
		epoch: data.epoch,
		lastSeq: data.seq,
		status: data.status,
		messages: kept === undefined ? stored : [...kept, ...stored],
		olderCursor: kept === undefined ? data.nextCursor : view.olderCursor,
		waiting: data.messages.filter(isWaiting),
		turn: data.turn === undefined ? undefined : liveTurn(data.turn, view.turn, now),
		queue: data.queue,
		questions: data.questions,
		permissions: data.permissions,
		commands: data.commands,
		context: data.context,
		usage: data.turn?.usage ?? lastUsage(stored) ?? view.usage,
		error: undefined,
	};
}

/** Older messages that were loaded already and join the snapshot without a gap. */
function olderKept(known: readonly Message[], stored: readonly Message[]): readonly Message[] | undefined {
	const first = stored[0];
	if (first === undefined) return undefined;
	const index = known.findIndex((message) => message.id === first.id);
	return index <= 0 ? undefined : known.slice(0, index);
}

function liveTurn(turn: NonNullable<SnapshotFrame["data"]["turn"]>, before: LiveTurn | undefined, now: number): LiveTurn {
	const same = before?.messageId === turn.messageId ? before : undefined;
	return { ...turn, partSince: same?.partSince ?? now, settled: same?.settled ?? [] };
}

/** What the newest answer said about tokens and the context window. */
export function lastUsage(messages: readonly Message[]) {
	for (let index = messages.length - 1; index >= 0; index--) {
		const message = messages[index];
		if (message?.role === "assistant" && message.metadata.usage !== undefined) return message.metadata.usage;
	}
	return undefined;
}

export function isWaiting(message: Message): message is UserMessage {
	return message.role === "user" && message.metadata.delivery === "queued";
}
