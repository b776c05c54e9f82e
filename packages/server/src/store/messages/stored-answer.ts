import type { AssistantMetadata, MessageTruncated } from "@rightseat/protocol/model/message";
import type { ToolRecord, TurnAsk, TurnPart } from "@rightseat/protocol/model/turn";
import { cutText } from "@rightseat/protocol/text";
import { previewDiffs } from "../../core/kernel/preview-diffs.ts";
import { previewValue } from "../../core/kernel/preview-value.ts";
import { MAX_INDEXED_CHARS } from "../search/search-text.ts";
import { cleanJson } from "../sqlite/clean-text.ts";
import { splitText, type TextPiece } from "./text-pieces.ts";

/** Of an answer's text so much stands in its row: all that the search looks at. The rest lies in pieces. */
export const MAX_ROW_TEXT_CHARS = MAX_INDEXED_CHARS;
const MAX_ROW_REASONING_CHARS = 32_768;
/** Arguments, diffs, a result, an error or an output stand in the row up to this, the longest result that a model gets, … */
export const MAX_ROW_FIELD_CHARS = 32_768;
/** … and all of an answer together up to this; of what is longer the row has the beginning. */
export const MAX_ROW_TOOLS_CHARS = 524_288;
const FIELD_PREVIEW_CHARS = 4_096;
/** Parts, calls and requests of one answer that its row names, the newest. */
export const MAX_ROW_ITEMS = 1_000;
const MAX_ROW_ASKS_CHARS = 65_536;

/** Where the text of a part lies in the answer's text or reasoning, which would otherwise be stored twice. */
export interface TextPlace {
	from: number;
	length: number;
}
export type StoredPart = TurnPart | { kind: "text"; messageId: string; at: TextPlace } | StoredThought;
export interface StoredThought {
	kind: "reasoning";
	reasoningId: string;
	durationMs?: number;
	at: TextPlace;
}
/** Metadata as the row, or the piece `metadata` of an answer with very many items, holds it. */
export interface StoredMetadata extends Omit<AssistantMetadata, "parts"> {
	parts: StoredPart[];
	/** See `messageTruncatedSchema`. */
	truncated?: MessageTruncated;
}

export interface StoredAnswer {
	content: string;
	metadata: StoredMetadata;
	pieces: TextPiece[];
}

/** The answer as a row of bounded size and the pieces that hold the rest. */
export function splitAnswer(content: string, metadata: AssistantMetadata): StoredAnswer {
	const { reasoning } = metadata;
	const head = cutText(content, MAX_ROW_TEXT_CHARS);
	const thought = reasoning === undefined ? undefined : cutText(reasoning, MAX_ROW_REASONING_CHARS);
	const pieces = [...splitText("content", content, head.length), ...splitText("reasoning", reasoning ?? "", thought?.length ?? 0)];
	const limit = fieldLimit(metadata.tools);
	const tools = metadata.tools.map((tool, index) => storeTool(tool, index, limit, pieces));
	const stored: StoredMetadata = { ...metadata, tools, parts: storeParts(metadata.parts, content, reasoning ?? "") };
	if (thought !== undefined) stored.reasoning = thought;
	const truncated: MessageTruncated = {};
	if (head.length < content.length) truncated.content = content.length;
	if (reasoning !== undefined && thought !== undefined && thought.length < reasoning.length) truncated.reasoning = reasoning.length;
	const row = boundItems(stored, truncated);
	if (row !== stored) pieces.push(...splitText("metadata", cleanJson(stored), 0));
	return { content: head, metadata: Object.keys(truncated).length === 0 ? row : { ...row, truncated }, pieces };
}

/** Names the piece that holds one field of a call. */
export const fieldPiece = (toolIndex: number, field: ToolField) => `tool ${toolIndex} ${field}`;
export type ToolField = JsonField | TextField;
/** Fields of a call that are stored as JSON when they do not fit the row. */
type JsonField = "arguments" | "diffs";
const JSON_FIELDS: readonly JsonField[] = ["arguments", "diffs"];
type TextField = "result" | "error" | "output";
export const TEXT_FIELDS: readonly TextField[] = ["result", "error", "output"];

function storeParts(parts: readonly TurnPart[], content: string, reasoning: string): StoredPart[] {
	const next = { text: 0, reasoning: 0 };
	return parts.map((part): StoredPart => {
		if (part.kind === "tool" || part.kind === "steer" || part.content === "") return part;
		const from = next[part.kind];
		if (!(part.kind === "text" ? content : reasoning).startsWith(part.content, from)) return part;
		const at = { from, length: part.content.length };
		// A blank line stands between two of them.
		next[part.kind] += at.length + 2;
		const { content: _stored, ...rest } = part;
		return { ...rest, at };
	});
}

/** The most that a field may have in the row, so that all of them together are bounded. */
function fieldLimit(tools: readonly ToolRecord[]): number {
	const sizes = tools.flatMap((tool) => [
		...JSON_FIELDS.map((field) => jsonChars(tool, field)),
		...TEXT_FIELDS.map((field) => tool[field]?.length ?? 0),
	]);
	for (let limit = MAX_ROW_FIELD_CHARS; limit > 64; limit /= 2) {
		const chars = sizes.reduce((sum, size) => sum + (size <= limit ? size : previewChars(limit)), 0);
		if (chars <= MAX_ROW_TOOLS_CHARS) return limit;
	}
	return 0;
}
const previewChars = (limit: number) => Math.min(limit, FIELD_PREVIEW_CHARS);
const jsonChars = (tool: ToolRecord, field: JsonField) => (JSON.stringify(tool[field]) ?? "").length;

function storeTool(tool: ToolRecord, index: number, limit: number, pieces: TextPiece[]): ToolRecord {
	const truncated: NonNullable<ToolRecord["truncated"]> = {};
	const stored = { ...tool };
	const sizes = { arguments: jsonChars(tool, "arguments"), diffs: jsonChars(tool, "diffs") };
	if (sizes.arguments > limit) {
		truncated.arguments = sizes.arguments;
		stored.arguments = previewValue(tool.arguments, previewChars(limit));
		pieces.push(...splitText(fieldPiece(index, "arguments"), cleanJson(tool.arguments ?? {}), 0));
	}
	if (tool.diffs !== undefined && sizes.diffs > limit) {
		truncated.diffs = sizes.diffs;
		stored.diffs = previewDiffs(tool.diffs, previewChars(limit));
		pieces.push(...splitText(fieldPiece(index, "diffs"), cleanJson(tool.diffs), 0));
	}
	for (const field of TEXT_FIELDS) {
		const text = tool[field];
		if (text === undefined || text.length <= limit) continue;
		truncated[field] = text.length;
		stored[field] = cutText(text, previewChars(limit));
		pieces.push(...splitText(fieldPiece(index, field), text, 0));
	}
	return Object.keys(truncated).length === 0 ? tool : { ...stored, truncated };
}

/** The same when its lists are short enough for the row; else with the newest items, and how many there are in `truncated`. */
function boundItems(stored: StoredMetadata, truncated: MessageTruncated): StoredMetadata {
	const { parts, tools, asks = [] } = stored;
	const bounded = { ...stored, parts: parts.slice(-MAX_ROW_ITEMS), tools: tools.slice(-MAX_ROW_ITEMS) };
	const keptAsks = newestAsks(asks);
	if (stored.asks !== undefined) bounded.asks = keptAsks;
	if (bounded.parts.length < parts.length) truncated.parts = parts.length;
	if (bounded.tools.length < tools.length) truncated.tools = tools.length;
	if (keptAsks.length < asks.length) truncated.asks = asks.length;
	return truncated.parts === undefined && truncated.tools === undefined && truncated.asks === undefined ? stored : bounded;
}

function newestAsks(asks: readonly TurnAsk[]): TurnAsk[] {
	let left = MAX_ROW_ASKS_CHARS;
	const first = asks.findLastIndex((ask) => {
		left -= ask.text.length + (ask.answer?.length ?? 0);
		return left < 0;
	});
	return asks.slice(first + 1);
}
