import type { ToolDiff, ToolRecord, TurnPart } from "@rightseat/protocol/model/turn";
import type { SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import type { WholeAnswer, WholeMessage } from "../../core/ports/whole-message.ts";
import { readOwnJson } from "../sqlite/own-json.ts";
import { isWhole, toMessage } from "./message-row.ts";
import { fieldPiece, type StoredMetadata, type StoredPart, TEXT_FIELDS } from "./stored-answer.ts";
import type { TextPieces } from "./text-pieces.ts";

/** A message with all that lies in pieces of it. */
export function openWhole(row: SqlRow, pieces: TextPieces): WholeMessage {
	const message = toMessage(row);
	return isWhole(message) ? { message } : { message, answer: openAnswer(row, pieces) };
}

function openAnswer(row: SqlRow, pieces: TextPieces): WholeAnswer {
	const key = numberColumn(row, "key");
	const content = textColumn(row, "content");
	const inRow = readOwnJson<StoredMetadata>(textColumn(row, "metadata"));
	const { reasoning: _reasoning, tools, parts, truncated: _marks, ...metadata } = allItems(key, inRow, pieces);
	const { reasoning = "", truncated = {} } = inRow;

	function* text(name: "content" | "reasoning", from: number, to: number): Generator<string> {
		const head = name === "content" ? content : reasoning;
		if (from < head.length) yield head.slice(from, to);
		if (to > head.length) yield* pieces.read(key, name, Math.max(from, head.length), to);
	}
	function partText(part: StoredPart): Iterable<string> {
		if (!("at" in part)) return "content" in part ? [part.content] : [];
		return text(part.kind === "text" ? "content" : "reasoning", part.at.from, part.at.from + part.at.length);
	}
	function toolAt(index: number): ToolRecord | undefined {
		const tool = tools[index];
		return tool === undefined ? undefined : wholeTool(tool, index, (name) => pieces.find(key, name));
	}
	return {
		metadata,
		parts: parts.map((part) => ({ part: withoutText(part), text: () => partText(part) })),
		content: () => text("content", 0, truncated.content ?? content.length),
		reasoning: () => text("reasoning", 0, truncated.reasoning ?? reasoning.length),
		*tools() {
			for (const index of tools.keys()) {
				const tool = toolAt(index);
				if (tool !== undefined) yield tool;
			}
		},
		findTool: (toolCallId) => toolAt(tools.findLastIndex((tool) => tool.toolCallId === toolCallId)),
	};
}

/** Metadata with every part, call and request: the row of an answer with very many names only the newest. */
function allItems(key: number, inRow: StoredMetadata, pieces: TextPieces): StoredMetadata {
	const { parts, tools, asks } = inRow.truncated ?? {};
	if (parts === undefined && tools === undefined && asks === undefined) return inRow;
	const json = pieces.find(key, "metadata");
	return json === undefined ? inRow : readOwnJson<StoredMetadata>(json);
}

function withoutText(part: StoredPart): TurnPart {
	if (!("at" in part)) return "content" in part ? { ...part, content: "" } : part;
	const { at: _at, ...rest } = part;
	return { ...rest, content: "" };
}

function wholeTool(stored: ToolRecord, index: number, find: (piece: string) => string | undefined): ToolRecord {
	const { truncated, ...tool } = stored;
	if (truncated === undefined) return tool;
	const json = truncated.arguments === undefined ? undefined : find(fieldPiece(index, "arguments"));
	if (json !== undefined) tool.arguments = readOwnJson<unknown>(json);
	const diffs = truncated.diffs === undefined ? undefined : find(fieldPiece(index, "diffs"));
	if (diffs !== undefined) tool.diffs = readOwnJson<ToolDiff[]>(diffs);
	for (const field of TEXT_FIELDS) {
		const text = truncated[field] === undefined ? undefined : find(fieldPiece(index, field));
		if (text !== undefined) tool[field] = text;
	}
	return tool;
}
