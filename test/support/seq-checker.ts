import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { ServerFrame } from "@rightseat/protocol/frames/server";

/** Watches that every conversation's events come once, in order and without a gap. */
export interface SeqChecker {
	sent(frame: ClientFrame): void;
	/** What is wrong with this frame's position, if anything. */
	received(frame: ServerFrame): string | undefined;
}

interface Position {
	epoch: string;
	/** The seq that must come next; undefined until the first event after a subscription tells. */
	next?: number;
}

export function createSeqChecker(): SeqChecker {
	const positions = new Map<string, Position>();
	const asked = new Map<string, { epoch?: string; lastSeq?: number }>();

	return {
		sent(frame) {
			if (frame.type === "copilot:subscribe") asked.set(frame.data.conversationId, frame.data);
			if (frame.type === "copilot:unsubscribe") positions.delete(frame.data.conversationId);
		},
		received(frame) {
			if (frame.type === "copilot:snapshot") {
				positions.set(frame.data.conversationId, { epoch: frame.data.epoch, next: frame.data.seq + 1 });
				return undefined;
			}
			if (frame.type === "copilot:stream-status" && frame.data.seq === undefined) {
				const { conversationId, epoch, mode } = frame.data;
				const position = asked.get(conversationId);
				const continues = mode === "delta" && position?.lastSeq !== undefined && position.epoch === epoch;
				positions.set(conversationId, { epoch, next: continues ? (position.lastSeq ?? 0) + 1 : undefined });
				return undefined;
			}
			return isEvent(frame) ? check(positions, frame) : undefined;
		},
	};
}

type EventLike = { type: string; data: { conversationId: string; epoch: string; seq: number } };

function isEvent(frame: ServerFrame): frame is ServerFrame & EventLike {
	return "data" in frame && "seq" in frame.data && "epoch" in frame.data && "conversationId" in frame.data && frame.data.seq !== undefined;
}

function check(positions: Map<string, Position>, frame: EventLike): string | undefined {
	const { conversationId, epoch, seq } = frame.data;
	const known = positions.get(conversationId);
	const expected = known?.epoch === epoch ? known.next : undefined;
	positions.set(conversationId, { epoch, next: seq + 1 });
	if (expected === undefined || expected === seq) return undefined;
	return `${frame.type} of ${conversationId} came with seq ${seq}, but ${expected} was next`;
}
