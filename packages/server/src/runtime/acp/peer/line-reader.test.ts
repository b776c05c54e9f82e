import fc from "fast-check";
import { expect, test } from "vitest";
import { createLineReader } from "./line-reader.ts";

/** What is read of these pieces; large lines are understood later, one after the other, and named. */
function read(pieces: Uint8Array[], bounds: { maxBytes?: number; largeBytes?: number } = {}) {
	const lines: string[] = [];
	let tooLong = 0;
	let large = Buffer.alloc(0);
	let isAway = false;
	const reader = createLineReader({
		...bounds,
		onLine: (line) => lines.push(line),
		large: {
			part(bytes) {
				large = Buffer.concat([large, bytes]);
			},
			end() {
				isAway = true;
			},
			drop() {
				large = Buffer.alloc(0);
			},
		},
		onTooLong: () => {
			tooLong += 1;
		},
	});
	function comeBack(): void {
		lines.push(`large ${large}`);
		large = Buffer.alloc(0);
		isAway = false;
		reader.goOn();
	}
	let most = 0;
	for (const [at, piece] of pieces.entries()) {
		reader.push(piece);
		most = Math.max(most, reader.waiting);
		if (isAway && at % 3 === 0) comeBack();
	}
	while (isAway) comeBack();
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
	const { lines, tooLong, most } = read([Buffer.from("before\n"), ...long, Buffer.from("tail\nafter\n")], { maxBytes: 1_000 });
	expect(lines).toEqual(["before", "after"]);
	expect(tooLong).toBe(1);
	expect(most).toBeLessThanOrEqual(1_000);
});

test("[AC410] large lines are handed on in parts as they come, and what follows waits for each, in order, wherever the pipe cuts", () => {
	const line = fc.string({ unit: "grapheme-ascii", maxLength: 30 }).map((text) => text.replace(/[\s\p{C}]/gu, "x"));
	fc.assert(
		fc.property(fc.array(line, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 12 }), (texts, places) => {
			const bytes = new TextEncoder().encode(texts.map((text) => `${text}\n`).join(""));
			const expected = texts.filter((text) => text !== "").map((text) => (text.length > 10 ? `large ${text}` : text));
			expect(read(cut(bytes, places), { largeBytes: 10 }).lines).toEqual(expected);
		}),
	);
});

test("[AC410] what comes while a large line is read is bounded as a line is, and a large line that is too long is dropped", () => {
	const large = Buffer.from(`${"l".repeat(500)}\n`);
	const after = Array.from({ length: 20 }, () => Buffer.from(`${"a".repeat(99)}\n`));
	const tooLong = read([Buffer.alloc(600, "l"), Buffer.alloc(600, "l"), Buffer.from("\nnext\n")], { maxBytes: 1_000, largeBytes: 200 });
	expect(tooLong).toMatchObject({ lines: ["next"], tooLong: 1 });
	const kept: string[] = [];
	const reader = createLineReader({
		...{ maxBytes: 1_000, largeBytes: 200, onLine: (line) => kept.push(line) },
		large: { part: () => undefined, end: () => undefined, drop: () => undefined },
		onTooLong: () => kept.push("too long"),
	});
	reader.push(large);
	for (const piece of after) {
		reader.push(piece);
		expect(reader.waiting).toBeLessThanOrEqual(1_000);
	}
	expect(kept).toContain("too long");
});
