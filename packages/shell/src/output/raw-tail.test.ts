import fc from "fast-check";
import { expect, test } from "vitest";
import { createRawTail } from "./raw-tail.ts";

test("[SH36] the newest bytes of a flood are held, bounded, and the dropped ones counted", () => {
	fc.assert(
		fc.property(fc.array(fc.array(fc.uint8Array({ maxLength: 25 }), { maxLength: 12 }), { maxLength: 4 }), (rounds) => {
			const tail = createRawTail(20);
			for (const chunks of rounds) {
				for (const chunk of chunks) tail.push(Buffer.from(chunk));
				const all = Buffer.concat(chunks);
				const { bytes, dropped } = tail.take();
				expect(bytes).toEqual(all.subarray(Math.max(0, all.length - 20)));
				expect(bytes.length + dropped).toBe(all.length);
			}
		}),
	);
});
