import type { EventFrame } from "@rightseat/protocol/events/event";
import { foldConversation, fromSnapshot } from "@rightseat/protocol/fold/conversation";
import type { EventPosition } from "@rightseat/protocol/frames/decode-server-frame";
import type { ServerFrameOf } from "@rightseat/protocol/frames/server";
import type { Message } from "@rightseat/protocol/model/message";
import type { ConversationView } from "./conversation-view.ts";

export type StreamStatusFrame = ServerFrameOf<"copilot:stream-status">;
export type SnapshotFrame = ServerFrameOf<"copilot:snapshot">;
/** An event that this page cannot read: passed over, but its place in the log is taken. */
export interface PassedOver {
	type: "unknown-event";
	data: EventPosition;
}
export type ConversationFrame = EventFrame | StreamStatusFrame | SnapshotFrame | PassedOver;

export type Applied =
	| { kind: "applied"; view: ConversationView }
	/** Seen before, or nothing to do. */
	| { kind: "dropped" }
	/** Something is missing: subscribe again. The view stays as it is until the answer comes. */
	| { kind: "resubscribe" };

/** One frame about a conversation, applied purely. Only the next event of the same epoch changes anything. */
export function applyFrame(view: ConversationView, frame: ConversationFrame): Applied {
	if (frame.type === "copilot:snapshot") return { kind: "applied", view: atSnapshot(view, frame.data) };
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
	// Without this step the next event would look like a gap, and every such event would cost a new subscription.
	if (frame.type === "unknown-event") return { kind: "applied", view: { ...view, lastSeq: seq } };
	const next = { ...foldConversation(view, frame), lastSeq: seq };
	// Its host speaks again.
	return { kind: "applied", view: next.copyOf === undefined ? next : { ...next, copyOf: undefined } };
}

function atSnapshot(view: ConversationView, data: SnapshotFrame["data"]): ConversationView {
	const state = fromSnapshot(data);
	const kept = olderKept(view.messages, state.messages);
	return {
		...view,
		...state,
		epoch: data.epoch,
		lastSeq: data.seq,
		messages: kept === undefined ? state.messages : [...kept, ...state.messages],
		olderCursor: kept === undefined ? data.nextCursor : view.olderCursor,
		jobs: view.jobs,
		usage: state.usage ?? view.usage,
		copyOf: data.copyOf,
	};
}

/** Older messages that were loaded already and join the snapshot without a gap. */
function olderKept(known: readonly Message[], stored: readonly Message[]): readonly Message[] | undefined {
	const first = stored[0];
	if (first === undefined) return undefined;
	const index = known.findIndex((message) => message.id === first.id);
	return index <= 0 ? undefined : known.slice(0, index);
}
