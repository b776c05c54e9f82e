import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64Url } from "./push.ts";
import { conversationToOpen } from "./use-pwa.ts";

test("[PG73] the server's push key is read from base64url, whatever its bytes", () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
			expect([...fromBase64Url(Buffer.from(bytes).toString("base64url"))]).toEqual([...bytes]);
		}),
	);
});

test("[PG73] a tapped notification opens its conversation, and no other message does", () => {
	expect(conversationToOpen({ type: "open-conversation", conversationId: "c1" })).toBe("c1");
	expect(conversationToOpen({ type: "open-conversation", conversationId: 7 })).toBeUndefined();
	expect(conversationToOpen({ type: "other", conversationId: "c1" })).toBeUndefined();
	expect(conversationToOpen("open-conversation")).toBeUndefined();
});
