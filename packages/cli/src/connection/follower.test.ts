import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { expect, test } from "vitest";
import { createFollower } from "./follower.ts";

/** A reader that has seen everything up to the second event. */
function open() {
	const sent: ClientFrame[] = [];
	const told: string[] = [];
	const ignore = () => undefined;
	const follower = createFollower(
		"c",
		{ epoch: "e", lastSeq: 2 },
		{
			send: (frame) => sent.push(frame) > 0,
			sink: {
				...{ onSnapshot: ignore, onReply: ignore },
				onEvent: (frame) => void told.push(`${frame.data.seq}`),
				onUnknown: () => void told.push("unknown"),
				onCaughtUp: () => void told.push("caught up"),
			},
		},
	);
	const receive = (type: string, data: object) => {
		const text = JSON.stringify({ type, data: { conversationId: "c", ...data } });
		follower.receive(decodeServerFrame(text), text);
	};
	return {
		follower,
		sent,
		told,
		event: (seq: number, epoch = "e") => receive("copilot:delta", { epoch, seq, messageId: "m", content: "x" }),
		receive,
	};
}

test("[CL60] every event is told once and in order, whatever the line repeats", () => {
	const it = open();
	for (const seq of [1, 2, 3, 3, 2, 4]) it.event(seq);
	expect(it.told).toEqual(["3", "4"]);
	expect(it.sent).toEqual([]);
});

test("[CL60] a gap, or another history, is asked for from where it stands, once, and nothing of it is told before", () => {
	const it = open();
	it.event(5);
	it.event(6);
	it.event(1, "other");
	expect(it.told).toEqual([]);
	expect(it.sent).toEqual([{ type: "copilot:subscribe", data: { conversationId: "c", epoch: "e", lastSeq: 2 } }]);
});

test("[CL60] it is caught up when the last event is told that was there when it asked; an event of a new type has its place", () => {
	const it = open();
	it.follower.subscribe();
	it.receive("copilot:stream-status", { mode: "delta", headSeq: 4, status: "streaming", epoch: "e" });
	it.event(3);
	expect(it.told).toEqual(["3"]);
	it.receive("copilot:not-yet-known", { epoch: "e", seq: 4 });
	expect(it.told).toEqual(["3", "unknown", "caught up"]);
	it.event(5);
	expect(it.told.at(-1)).toBe("5");
});

test("[CL60] an event that cannot be read is left behind by a snapshot, not asked for again", () => {
	const it = open();
	it.receive("copilot:delta", { epoch: "e", seq: 3, content: 5 });
	expect(it.told).toEqual([]);
	expect(it.sent).toEqual([{ type: "copilot:subscribe", data: { conversationId: "c" } }]);
});
