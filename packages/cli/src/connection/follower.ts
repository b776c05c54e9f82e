import type { Snapshot } from "@rightseat/protocol/fold/conversation";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { DecodedServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { isLogged, type LoggedFrame, type ReplyFrame } from "@rightseat/protocol/frames/server";

/** Where a reader stands in the log of its conversation. */
export interface Position {
	epoch: string;
	lastSeq: number;
}

/** What becomes of the frames of a conversation. `text` is the frame as it came. */
export interface FollowSink {
	/** Every event exactly once, in order. */
	onEvent(frame: LoggedFrame, text: string): void;
	/** Takes the place of everything before: what was missed cannot be told event by event. */
	onSnapshot(snapshot: Snapshot, text: string): void;
	/** What answers us: ack, nack, error, done, how the stream stands. */
	onReply(frame: ReplyFrame, text: string): void;
	/** An event of a type that we do not know; it has its place all the same. */
	onUnknown(text: string): void;
	/** Everything that had happened when we subscribed has been told. */
	onCaughtUp(): void;
}

/** Reads one conversation over a line that may break: nothing is told twice and nothing is left out. */
export interface Follower {
	subscribe(): void;
	receive(decoded: DecodedServerFrame, text: string): void;
	readonly position: Position | undefined;
}

export function createFollower(
	conversationId: string,
	start: Position | undefined,
	deps: { send(frame: ClientFrame): boolean; sink: FollowSink },
): Follower {
	const { send, sink } = deps;
	let position = start;
	/** Subscribed again, and the answer is not here yet: events that do not fit belong to the time before. */
	let isAsking = false;
	/** Events up to here were there before we subscribed. */
	let head: number | undefined;

	function subscribe(): void {
		isAsking = true;
		head = undefined;
		send({ type: "copilot:subscribe", data: { conversationId, ...position } });
	}

	/** True if this is the next event. Otherwise it was told already, or something is missing. */
	function isNext({ epoch, seq }: { epoch: string; seq: number }): boolean {
		if (position === undefined) return false;
		if (epoch === position.epoch && seq <= position.lastSeq) return false;
		if (epoch === position.epoch && seq === position.lastSeq + 1) return true;
		if (!isAsking) subscribe();
		return false;
	}

	function step({ epoch, seq }: { epoch: string; seq: number }): void {
		position = { epoch, lastSeq: seq };
		if (head !== undefined && seq >= head) caughtUp();
	}

	function caughtUp(): void {
		head = undefined;
		sink.onCaughtUp();
	}

	function reply(frame: ReplyFrame, text: string) {
		if (frame.type === "copilot:snapshot") {
			position = { epoch: frame.data.epoch, lastSeq: frame.data.seq };
			isAsking = false;
			sink.onSnapshot(frame.data, text);
			return caughtUp();
		}
		sink.onReply(frame, text);
		if (frame.type !== "copilot:stream-status" || frame.data.mode !== "delta") return;
		isAsking = false;
		head = frame.data.headSeq ?? 0;
		if (position !== undefined && position.lastSeq >= head) caughtUp();
	}

	return {
		subscribe,
		get position() {
			return position;
		},
		receive(decoded, text) {
			if (decoded.kind === "malformed") {
				if (decoded.conversationId !== conversationId) return;
				// Asking for the same event again would bring the same: only a snapshot leads past it.
				position = undefined;
				return subscribe();
			}
			if (decoded.kind === "unknown") {
				if (decoded.event?.conversationId !== conversationId || !isNext(decoded.event)) return;
				sink.onUnknown(text);
				return step(decoded.event);
			}
			const { frame } = decoded;
			if (isLogged(frame)) {
				const { conversationId: of, epoch, seq } = frame.data;
				if (of !== conversationId || !isNext({ epoch, seq })) return;
				sink.onEvent(frame, text);
				return step({ epoch, seq });
			}
			const about = "data" in frame && "conversationId" in frame.data ? frame.data.conversationId : undefined;
			if (about === undefined || about === conversationId) reply(frame, text);
		},
	};
}
