import { randomUUID } from "node:crypto";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { ReplyFrame } from "@rightseat/protocol/frames/server";
import type { FoundServer } from "../find-server/find-server.ts";
import { createFollower, type FollowSink, type Position } from "./follower.ts";
import { createLink, type Link } from "./link.ts";

/** Frames that wait for their answer; a person at a keyboard never has as many. */
const MAX_UNANSWERED = 64;

/** One conversation over a line that may break. */
export interface Session extends Pick<Link, "pause" | "resume" | "close"> {
	/** Sends it, and again after a lost line until it is answered. Gives back what forgets it; false: too many wait already. */
	deliver(frame: ClientFrame, onAnswered?: () => void): (() => void) | false;
	readonly position: Position | undefined;
}

export interface SessionEvents extends Omit<FollowSink, "onCaughtUp"> {
	/** The line is there again. */
	onBack(): void;
	onLost(): void;
	/** For good. */
	onFailed(error: Error): void;
}

/**
 * What we send carries a `requestId` and is kept until its answer is here. After a lost line it is sent again only when everything that
 * was missed has been told: by then whoever sent it may know that it is not wanted any more, such as a stop of a turn that has ended.
 */
export function openSession(server: FoundServer, start: { conversationId: string; position?: Position }, events: SessionEvents): Session {
	const unanswered = new Map<string, { frame: ClientFrame; onAnswered?: (() => void) | undefined }>();
	let isFirst = true;
	let isReady = false;

	function flush(): void {
		isReady = true;
		for (const { frame } of unanswered.values()) link.send(frame);
	}

	const link = createLink(server, {
		onOpen() {
			follower.subscribe();
			// Nothing of ours has been said yet, so nothing can have happened to it.
			if (isFirst) flush();
			else events.onBack();
			isFirst = false;
		},
		onFrame: (decoded, text) => follower.receive(decoded, text),
		onLost() {
			isReady = false;
			events.onLost();
		},
		onFailed: events.onFailed,
	});

	const follower = createFollower(start.conversationId, start.position, {
		send: (frame) => link.send(frame),
		sink: {
			...events,
			onReply(frame, text) {
				const requestId = requestIdOf(frame) ?? "";
				const answered = unanswered.get(requestId);
				unanswered.delete(requestId);
				events.onReply(frame, text);
				answered?.onAnswered?.();
			},
			onCaughtUp: () => (isReady ? undefined : flush()),
		},
	});

	return {
		deliver(frame, onAnswered) {
			if (unanswered.size >= MAX_UNANSWERED) return false;
			const requestId = randomUUID();
			const kept = { ...frame, requestId };
			unanswered.set(requestId, { frame: kept, onAnswered });
			if (isReady) link.send(kept);
			return () => void unanswered.delete(requestId);
		},
		get position() {
			return follower.position;
		},
		pause: link.pause,
		resume: link.resume,
		close: link.close,
	};
}

const requestIdOf = (frame: ReplyFrame) => ("requestId" in frame ? frame.requestId : undefined);
