import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineReader } from "./line-reader.ts";

function read(pieces: Uint8Array[], maxBytes?: number) {
	const lines: string[] = [];
	let tooLong = 0;
	const reader = createLineReader({
		...(maxBytes === undefined ? {} : { maxBytes }),
		onLine: (line) => lines.push(line),
		onTooLong: () => {
			tooLong += 1;
		},
	});
	let most = 0;
	for (const piece of pieces) {
		reader.push(piece);
		most = Math.max(most, reader.waiting);
	}
	return { lines, tooLong, most };
}

const cut = (bytes: Uint8Array, at: number[]) => {
	const places = [...new Set([0, ...at.map((place) => place % (bytes.length + 1)), bytes.length])].sort((a, b) => a - b);
	return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
};

test("[AC1] lines come whole and in order wherever the pipe cuts them, also within a character", () => {
	const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\s\p{C}]/gu, "x"));
	fc.assert(
		fc.property(fc.array(line, { maxLength: 8 }), fc.array(fc.nat(), { maxLength: 12 }), (texts, places) => {
			const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""));
			expect(read(cut(bytes, places)).lines).toEqual(texts.filter((text) => text !== ""));
		}),
	);
});

test("[AC1] bytes that are no UTF-8 are replaced, and the lines after them are read", () => {
	const bytes = Buffer.concat([Buffer.from([0x22, 0xff, 0xfe, 0xed, 0xa0, 0x80, 0x22, 0x0a]), Buffer.from("next\r\n")]);
	const { lines } = read([bytes]);
	expect(lines).toHaveLength(2);
	expect(lines[0]).toContain("\ufffd");
	expect(lines[1]).toBe("next");
});

test("[AC2] a line that is too long is skipped up to its end, named once, and never kept", () => {
	const long = Array.from({ length: 100 }, () => Buffer.alloc(64, "x"));
	const { lines, tooLong, most } = read([Buffer.from("before\n"), ...long, Buffer.from("tail\nafter\n")], 1_000);
	expect(lines).toEqual(["before", "after"]);
	expect(tooLong).toBe(1);
	expect(most).toBeLessThanOrEqual(1_000);
});
