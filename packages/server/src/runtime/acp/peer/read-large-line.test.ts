import fc from "fast-check";
import { expect, test } from "vitest";
import { MAX_TURN_CHARS } from "../../../core/turns/turn-size.ts";
import { parseLine } from "../../../mcp/message.ts";
import { createLargeLineReader, KEPT_CHARS } from "./read-large-line.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

test("[AC411] a line is what it says up to the bound of values, whatever stands in its texts", () => {
	const read = createLargeLineReader(parseLine, { maxValues: 100_000, keptValues: 100_000, keptChars: 1_000_000 });
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (message) => {
			const line = JSON.stringify(message);
			expect(read(bytesOf(` ${line} \r`))).toEqual({ kind: "read", value: JSON.parse(line), isCut: false });
		}),
	);
	expect(read(bytesOf("no message"))).toMatchObject({ value: undefined });
	expect(read(bytesOf('log: {"jsonrpc":"2.0","id":1}'))).toMatchObject({ value: { jsonrpc: "2.0", id: 1 } });
	const commas = { method: "x", text: '\\",[{'.repeat(50_000) };
	expect(read(bytesOf(JSON.stringify(commas)))).toEqual({ kind: "read", value: commas, isCut: false });
});

test("[AC411] of more values those near the top are kept, in whatever order they stand, and too many are not parsed at all", () => {
	const read = createLargeLineReader(parseLine, { maxValues: 10_000, keptValues: 100, keptChars: 1_000_000 });
	const deep = { list: Array.from({ length: 1_000 }, (_, at) => ({ at, more: [at] })) };
	const update = { rawOutput: deep, sessionUpdate: "tool_call_update", status: "completed" };
	const line = read(bytesOf(JSON.stringify({ method: "session/update", params: { update, sessionId: "s" } })));
	expect(line).toMatchObject({
		isCut: true,
		value: { method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "tool_call_update", status: "completed" } } },
	});
	expect(JSON.stringify(line).length).toBeLessThan(2_000);
	const tooMany = JSON.stringify({ jsonrpc: "2.0", list: Array.from({ length: 10_001 }, () => 1) });
	// Noise before a message cannot make its structure look like text.
	for (const noise of ["", '"', '{"', "log: "]) expect(read(bytesOf(noise + tooMany))).toEqual({ kind: "too-many" });
});

test("[AC411] a text of more characters than a turn may hold is cut, and the message stays whole otherwise", () => {
	const read = createLargeLineReader(parseLine, { maxValues: 100, keptValues: 100, keptChars: 10 });
	const message = { method: "x", params: { text: "t".repeat(1_000), list: ["l".repeat(11), "short"] } };
	expect(read(bytesOf(JSON.stringify(message)))).toEqual({
		...{ kind: "read", isCut: true },
		value: { method: "x", params: { text: "t".repeat(10), list: ["l".repeat(10), "short"] } },
	});
	expect(KEPT_CHARS).toBeGreaterThan(MAX_TURN_CHARS);
});
