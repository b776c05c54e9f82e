import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64Url } from "../passkey/base64url.ts";
import { readWorkerMessage } from "./read-worker-message.ts";

test("[PG73] the server's push key is read from base64url, whatever its bytes", () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
			expect([...fromBase64Url(Buffer.from(bytes).toString("base64url"))]).toEqual([...bytes]);
		}),
	);
});

test("[PG73] a tapped notification opens its conversation, and no other message does", () => {
	const message = { type: "open-conversation", conversationId: "c1" };
	expect(readWorkerMessage(message)).toEqual(message);
	expect(readWorkerMessage({ type: "open-conversation", conversationId: 7 })).toBeUndefined();
	expect(readWorkerMessage({ type: "other", conversationId: "c1" })).toBeUndefined();
	expect(readWorkerMessage("open-conversation")).toBeUndefined();
});
