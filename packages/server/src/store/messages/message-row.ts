import type { AssistantMetadata, Message, UserMetadata } from "@rightseat/protocol/model/message";
import type { TurnPart } from "@rightseat/protocol/model/turn";
import { isoTime } from "../../core/kernel/clock.ts";
import type { SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import { readOwnJson } from "../sqlite/own-json.ts";
import type { StoredMetadata, StoredPart } from "./stored-answer.ts";

export const MESSAGE_COLUMNS = "key, id, role, content, metadata, created_at";

/** The message as its row has it: of what is very large the beginning, marked `truncated`. */
export function toMessage(row: SqlRow): Message {
	const content = textColumn(row, "content");
	const shared = { id: textColumn(row, "id"), content, createdAt: isoTime(numberColumn(row, "created_at")) };
	const json = textColumn(row, "metadata");
	if (textColumn(row, "role") === "user") return { ...shared, role: "user", metadata: readOwnJson<UserMetadata>(json) };
	const stored = readOwnJson<StoredMetadata>(json);
	if (!hasItems(stored)) return { ...shared, role: "assistant", metadata: readOwnJson<AssistantMetadata>(json) };
	const { truncated, ...metadata } = stored;
	const parts = stored.parts.map((part) => toPart(part, content, stored.reasoning ?? ""));
	const answer: Message = { ...shared, role: "assistant", metadata: { ...metadata, parts } };
	return truncated === undefined ? answer : { ...answer, truncated };
}

/** Is this what a turn leaves behind? Anything else is stored as it comes. */
export function isAnswer(metadata: object): metadata is AssistantMetadata {
	return hasItems(metadata);
}

function hasItems(metadata: object): boolean {
	return "parts" in metadata && Array.isArray(metadata.parts) && "tools" in metadata && Array.isArray(metadata.tools);
}

/** The part with as much of its text as the row has. */
function toPart(part: StoredPart, content: string, reasoning: string): TurnPart {
	if (!("at" in part)) return part;
	const { at, ...rest } = part;
	const text = (part.kind === "text" ? content : reasoning).slice(at.from, at.from + at.length);
	const whole = { ...rest, content: text };
	return text.length < at.length ? { ...whole, truncated: at.length } : whole;
}

/** Does the row hold all of this message? */
export function isWhole(message: Message): boolean {
	if (message.truncated !== undefined) return false;
	return message.role === "user" || (message.metadata.tools ?? []).every((tool) => tool.truncated === undefined);
}

/** The parts of the metadata that are asked for by query, kept in columns of their own. */
export function metadataColumns(metadata: object) {
	return {
		delivery: "delivery" in metadata && typeof metadata.delivery === "string" ? metadata.delivery : null,
		context: "context" in metadata && typeof metadata.context === "string" ? metadata.context : null,
	};
}
