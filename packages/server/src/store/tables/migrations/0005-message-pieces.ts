import type { AssistantMetadata } from "@rightseat/protocol/model/message";
import { numberColumn, textColumn } from "../../../core/ports/sql-row.ts";
import { isAnswer } from "../../messages/message-row.ts";
import { splitAnswer } from "../../messages/stored-answer.ts";
import { createTextPieces } from "../../messages/text-pieces.ts";
import { cleanJson } from "../../sqlite/clean-text.ts";
import { readOwnJson } from "../../sqlite/own-json.ts";
import type { Migration } from "./migration.ts";

/** Long texts, arguments and results of answers in rows of their own, and their text once: it stood in `content` and in the parts. */
export const messagePieces: Migration = {
	name: "0005-message-pieces",
	up(sql, done) {
		sql.exec(`
			CREATE TABLE message_pieces (
				message_key INTEGER NOT NULL REFERENCES messages (key) ON DELETE CASCADE,
				name TEXT NOT NULL,
				start INTEGER NOT NULL,
				text TEXT NOT NULL,
				PRIMARY KEY (message_key, name, start)
			) STRICT, WITHOUT ROWID;
		`);
		const pieces = createTextPieces(sql);
		// One at a time: an answer may have millions of characters.
		const next = sql.prepare("SELECT key, content, metadata FROM messages WHERE role = 'assistant' AND key > ? ORDER BY key LIMIT 1");
		const store = sql.prepare("UPDATE messages SET content = ?, metadata = ? WHERE key = ?");
		const last = Number(sql.prepare("SELECT max(key) AS key FROM messages").get()?.key ?? 0);
		for (let row = next.get(0); row !== undefined; row = next.get(numberColumn(row, "key"))) {
			done?.(numberColumn(row, "key") / last);
			const metadata = readOwnJson<AssistantMetadata>(textColumn(row, "metadata"));
			if (!isAnswer(metadata)) continue;
			const split = splitAnswer(textColumn(row, "content"), metadata);
			store.run(split.content, cleanJson(split.metadata), numberColumn(row, "key"));
			pieces.add(numberColumn(row, "key"), split.pieces);
		}
	},
};
