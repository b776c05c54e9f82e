import fc from "fast-check";
import { expect, test } from "vitest";
import { fromBase64Url, toBase64Url } from "./base64url.ts";

test("[PG104] bytes go to base64url without padding and come back, whatever they are", () => {
	fc.assert(
		fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
			const text = toBase64Url(new Uint8Array(bytes).buffer);
			expect(text).toBe(Buffer.from(bytes).toString("base64url"));
			expect([...fromBase64Url(text)]).toEqual([...bytes]);
		}),
	);
});
