import { expect, test } from "vitest";
import { decodeServerFrame } from "./decode-server-frame.ts";

test("[WS105] an event of an unknown type says where it stands; other unknown frames are passed over whatever they hold", () => {
	const position = { conversationId: "c1", epoch: "e", seq: 7 };
	expect(decodeServerFrame(JSON.stringify({ type: "copilot:news", data: { ...position, more: 1 } }))).toEqual({
		kind: "unknown",
		type: "copilot:news",
		event: position,
	});
	expect(decodeServerFrame('{"type":"fleet:news","data":{"conversationId":"c1"}}')).toEqual({ kind: "unknown", type: "fleet:news" });
	expect(decodeServerFrame('{"type":"fleet:news","data":[1]}')).toEqual({ kind: "unknown", type: "fleet:news" });
});

test("[WS104] fields that the page does not know are ignored, wherever they stand", () => {
	const frame = { type: "copilot:delta", data: { conversationId: "c1", epoch: "e", seq: 7, messageId: "m", content: "x" } };
	const newer = { ...frame, trace: "t", data: { ...frame.data, tone: "kind" } };
	expect(decodeServerFrame(JSON.stringify(newer))).toEqual({ kind: "frame", frame });
});

test("[PG18] a frame is read, an unknown one is passed over, a broken one names its conversation", () => {
	expect(decodeServerFrame('{"type":"pong"}')).toEqual({ kind: "frame", frame: { type: "pong" } });
	expect(decodeServerFrame('{"type":"copilot:news","data":{}}')).toEqual({ kind: "unknown", type: "copilot:news" });
	expect(decodeServerFrame('{"type":"copilot:delta","data":{"conversationId":"c1","epoch":"e","seq":"7"}}')).toEqual({
		kind: "malformed",
		conversationId: "c1",
	});
	expect(decodeServerFrame("{")).toEqual({ kind: "malformed", conversationId: undefined });
});
