import { expect, test } from "vitest";
import { decodeServerFrame } from "./decode-frame.ts";

test("[PG18] a frame is read, an unknown one is passed over, a broken one names its conversation", () => {
	expect(decodeServerFrame('{"type":"pong"}')).toEqual({ kind: "frame", frame: { type: "pong" } });
	expect(decodeServerFrame('{"type":"copilot:news","data":{}}')).toEqual({ kind: "unknown", type: "copilot:news" });
	expect(decodeServerFrame('{"type":"copilot:delta","data":{"conversationId":"c1","epoch":"e","seq":"7"}}')).toEqual({
		kind: "malformed",
		conversationId: "c1",
	});
	expect(decodeServerFrame("{")).toEqual({ kind: "malformed", conversationId: undefined });
});
