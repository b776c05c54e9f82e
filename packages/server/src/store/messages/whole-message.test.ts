import type { AssistantMetadata } from "@rightseat/protocol/model/message";
import type { ToolRecord, TurnPart } from "@rightseat/protocol/model/turn";
import fc from "fast-check";
import { expect, test } from "vitest";
import { messageJson } from "../../core/conversations/message-json.ts";
import { messageId } from "../../core/kernel/ids.ts";
import { CHAT, openChat } from "../store-harness.ts";
import { MAX_ROW_FIELD_CHARS, MAX_ROW_ITEMS, MAX_ROW_TEXT_CHARS, MAX_ROW_TOOLS_CHARS } from "./stored-answer.ts";
import { MAX_PIECE_CHARS } from "./text-pieces.ts";

const ANSWER = messageId("a1");

/** An answer with these parts, as the fold of a turn makes it. */
function answer(parts: TurnPart[], tools: ToolRecord[] = [], more: Partial<AssistantMetadata> = {}) {
	const texts = (kind: "text" | "reasoning") =>
		parts.flatMap((part) => (part.kind === kind && "content" in part && part.content !== "" ? [part.content] : [])).join("\n\n");
	const reasoning = texts("reasoning");
	const metadata: AssistantMetadata = { outcome: "completed", tools, parts, ...more, ...(reasoning === "" ? {} : { reasoning }) };
	return { id: ANSWER, role: "assistant", content: texts("text"), metadata } as const;
}

function openWith(message: ReturnType<typeof answer>) {
	const opened = openChat();
	const { metadata, content } = message;
	const added = opened.store.messages.addMessage(CHAT, { ...message, createdAt: 5 });
	const whole = { id: ANSWER, role: "assistant", content, metadata, createdAt: "1970-01-01T00:00:00.005Z" };
	return { ...opened, added, whole };
}

function wholeOf({ store }: Pick<ReturnType<typeof openChat>, "store">): { json: unknown; largest: number } {
	const found = store.messages.open(CHAT, ANSWER);
	if (found === undefined) throw new RangeError("It is not stored.");
	const pieces = [...messageJson(found)];
	return { json: JSON.parse(pieces.join("")), largest: Math.max(...pieces.map((piece) => piece.length)) };
}

const character = fc.constantFrom("a", "字", "😀", "\n", '"', "\u0001", "`");
const text = fc.tuple(character, fc.constantFrom(1, 7, 40, 900, 33_000, 66_000)).map(([one, count]) => one.repeat(count));
const part: fc.Arbitrary<TurnPart> = fc.oneof(
	fc.record({ kind: fc.constant("text" as const), messageId: fc.constantFrom("m1", "m2"), content: text }),
	fc.record({ kind: fc.constant("reasoning" as const), reasoningId: fc.constantFrom("r1"), content: text }),
	fc.record({ kind: fc.constant("tool" as const), toolCallId: fc.constantFrom("c1", "c2") }),
	fc.record({ kind: fc.constant("steer" as const), messageId: fc.constant("s1") }),
);
const tool: fc.Arbitrary<ToolRecord> = fc.record(
	{
		toolCallId: fc.constantFrom("c1", "c2", "c3"),
		toolName: fc.constant("Bash"),
		arguments: fc.oneof(fc.record({ command: text, list: fc.array(text, { maxLength: 3 }) }), text, fc.constant(null)),
		success: fc.boolean(),
		result: text,
		error: text,
		output: text,
	},
	{ requiredKeys: ["toolCallId", "toolName", "arguments"] },
);

test("[ST170] whatever an answer holds, it comes back exactly, in pieces, from a row of bounded size", () => {
	fc.assert(
		fc.property(fc.array(part, { maxLength: 12 }), fc.array(tool, { maxLength: 8 }), (parts, tools) => {
			const opened = openWith(answer(parts, tools));
			expect(opened.store.messages.find(CHAT, ANSWER)).toEqual(opened.added);
			const { json, largest } = wholeOf(opened);
			expect(json).toEqual(opened.whole);
			// One piece of text with every character escaped, or one call with all of its fields.
			expect(largest).toBeLessThan(6 * (MAX_PIECE_CHARS + MAX_ROW_TEXT_CHARS + MAX_ROW_TOOLS_CHARS) + 10 * 66_000 * 6);
			const row = opened.sql.prepare("SELECT length(content) AS content, length(metadata) AS metadata FROM messages").get();
			expect(Number(row?.content)).toBeLessThanOrEqual(MAX_ROW_TEXT_CHARS);
			expect(Number(row?.metadata)).toBeLessThan(6 * (2 * MAX_ROW_TOOLS_CHARS));
			for (const { toolCallId } of tools) {
				const last = tools.findLast((known) => known.toolCallId === toolCallId);
				expect(opened.store.messages.findTool(CHAT, ANSWER, toolCallId)).toEqual(last);
			}
		}),
		{ numRuns: 30 },
	);
});

test("[ST170] no character is cut between two pieces", () => {
	const long = `x${"😀".repeat(MAX_ROW_TEXT_CHARS)}`;
	const opened = openWith(answer([{ kind: "text", messageId: "m1", content: long }]));
	expect(opened.sql.prepare("SELECT count(*) AS n FROM message_pieces").get()).toEqual({ n: 4 });
	expect(wholeOf(opened).json).toEqual(opened.whole);
	expect(opened.added).toMatchObject({ truncated: { content: long.length }, metadata: { parts: [{ truncated: long.length }] } });
	expect(opened.added.content).toBe(`x${"😀".repeat(MAX_ROW_TEXT_CHARS / 2 - 1)}`);
});

test("[ST171] the text of an answer is stored once", () => {
	const said = "once upon a time";
	const parts: TurnPart[] = [
		{ kind: "reasoning", reasoningId: "r", content: "a thought of its own" },
		{ kind: "text", messageId: "m1", content: said },
		{ kind: "text", messageId: "m2", content: said.repeat(20_000) },
	];
	const opened = openWith(answer(parts));
	const rows = [
		...opened.sql.prepare("SELECT content, metadata FROM messages").all(),
		...opened.sql.prepare("SELECT text FROM message_pieces").all(),
	];
	const stored = rows.flatMap((row) => Object.values(row)).join("");
	expect(stored.length).toBeLessThan(said.length * 20_001 + 600);
	expect(stored.split("thought of its own")).toHaveLength(2);
	expect(wholeOf(opened).json).toEqual(opened.whole);
});

test("[ST172] of a large call a page has the beginning in its shape, and how large the whole is; ordinary ones are whole", () => {
	const large = "line\n".repeat(15_000);
	const tools: ToolRecord[] = [
		{ toolCallId: "c1", toolName: "Write", arguments: { path: "log.txt", content: large }, success: true, result: "Written." },
		{ toolCallId: "c2", toolName: "Bash", arguments: { command: "seq" }, success: true, result: "1\n".repeat(MAX_ROW_FIELD_CHARS / 2) },
	];
	const { added } = openWith(answer([{ kind: "tool", toolCallId: "c1" }], tools));
	expect(added).toMatchObject({
		metadata: {
			tools: [
				{ arguments: { path: "log.txt" }, result: "Written.", truncated: { arguments: JSON.stringify(tools[0]?.arguments).length } },
				tools[1],
			],
		},
	});
	const [first, second] = added.role === "assistant" ? added.metadata.tools : [];
	expect(second).toEqual(tools[1]);
	expect(JSON.stringify(first).length).toBeLessThan(6_000);
	expect(large).toContain(Object(first?.arguments).content);
});

test.each([
	[16, 30_000],
	[100, 3_000],
])("[ST172] an ordinary turn of %i calls with %i characters each is whole on a page", (count, chars) => {
	const tools = Array.from(
		{ length: count },
		(_, n): ToolRecord => ({ toolCallId: `c${n}`, toolName: "Bash", arguments: { n }, success: true, result: "y".repeat(chars) }),
	);
	const { added } = openWith(answer([], tools));
	expect(added.role === "assistant" && added.metadata.tools).toEqual(tools);
});

test("[ST172] of very many parts and calls a row names the newest", () => {
	const count = 3 * MAX_ROW_ITEMS;
	const parts = Array.from({ length: count }, (_, n): TurnPart[] => [
		{ kind: "text", messageId: `m${n}`, content: `part ${n}` },
		{ kind: "tool", toolCallId: `c${n}` },
	]).flat();
	const tools = Array.from(
		{ length: count },
		(_, n): ToolRecord => ({ toolCallId: `c${n}`, toolName: "Bash", arguments: { n }, result: `r${n}` }),
	);
	const asks = Array.from({ length: 200 }, (_, n) => ({
		requestId: `q${n}`,
		kind: "question" as const,
		text: "字".repeat(1_000),
		afterParts: n,
	}));
	const opened = openWith(answer([...parts, { kind: "steer", messageId: "s1" }], tools, { asks }));
	const { added } = opened;
	expect(added.truncated).toEqual({ parts: 2 * count + 1, tools: count, asks: 200 });
	expect(added).toMatchObject({ metadata: { parts: { length: MAX_ROW_ITEMS }, tools: { length: MAX_ROW_ITEMS } } });
	expect(added.role === "assistant" && added.metadata.parts.slice(-3)).toEqual([...parts.slice(-2), { kind: "steer", messageId: "s1" }]);
	expect(wholeOf(opened).json).toEqual(opened.whole);
	expect(opened.store.messages.findTool(CHAT, ANSWER, "c0")).toEqual(tools[0]);
	opened.store.messages.takeSteerOut(CHAT, ANSWER, messageId("s1"));
	expect(wholeOf(opened).json).toEqual({ ...opened.whole, metadata: { ...opened.whole.metadata, parts } });
	expect(opened.store.messages.find(CHAT, ANSWER)?.metadata).toMatchObject({ parts: { length: MAX_ROW_ITEMS - 1 } });
});

test("[CG2] what an answer changed is in its row and in the whole of one that lies in pieces; a message that is gone is fine", () => {
	const parts = Array.from({ length: 2 * MAX_ROW_ITEMS }, (_, n): TurnPart => ({ kind: "text", messageId: `m${n}`, content: `part ${n}` }));
	const opened = openWith(answer(parts));
	const changes = { changeId: "g1", files: 3, added: 40, removed: 12, undone: true };
	opened.store.messages.setChanges(CHAT, ANSWER, changes);
	opened.store.messages.setChanges(CHAT, messageId("none"), changes);
	expect(opened.store.messages.find(CHAT, ANSWER)?.metadata).toMatchObject({ changes, parts: { length: MAX_ROW_ITEMS } });
	expect(wholeOf(opened).json).toEqual({ ...opened.whole, metadata: { ...opened.whole.metadata, changes } });
});

test("[ST170] pieces go with their message", () => {
	const opened = openWith(answer([{ kind: "text", messageId: "m1", content: "x".repeat(300_000) }]));
	const count = () => opened.sql.prepare("SELECT count(*) AS n FROM message_pieces").get()?.n;
	expect(count()).toBe(2);
	opened.store.messages.delete(CHAT, ANSWER);
	expect(count()).toBe(0);
});

test("[ST18] U+0000 and halves of surrogate pairs are replaced in pieces as well", () => {
	const bad = `a\u0000\ud800b${"x".repeat(40_000)}`;
	const good = bad.replace("\u0000\ud800", "\uFFFD\uFFFD");
	const opened = openWith(answer([], [{ toolCallId: "c1", toolName: "Write", arguments: { content: bad }, result: bad }]));
	expect(opened.store.messages.findTool(CHAT, ANSWER, "c1")).toMatchObject({ arguments: { content: good }, result: good });
});
