import type { AssistantMetadata, Message, UserMetadata } from "@rightseat/protocol/model/message";
import { isoTime } from "../../core/kernel/clock.ts";
import type { SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import { readOwnJson } from "../sqlite/own-json.ts";

export const MESSAGE_COLUMNS = "id, role, content, metadata, created_at";

export function toMessage(row: SqlRow): Message {
	const shared = { id: textColumn(row, "id"), content: textColumn(row, "content"), createdAt: isoTime(numberColumn(row, "created_at")) };
	const metadata = textColumn(row, "metadata");
	return textColumn(row, "role") === "user"
		? { ...shared, role: "user", metadata: readOwnJson<UserMetadata>(metadata) }
		: { ...shared, role: "assistant", metadata: readOwnJson<AssistantMetadata>(metadata) };
}

/** The parts of the metadata that are asked for by query, kept in columns of their own. */
export function metadataColumns(metadata: object) {
	return {
		delivery: "delivery" in metadata && typeof metadata.delivery === "string" ? metadata.delivery : null,
		context: "context" in metadata && typeof metadata.context === "string" ? metadata.context : null,
	};
}
