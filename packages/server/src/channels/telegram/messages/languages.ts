import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { textColumn } from "../../../core/ports/sql-row.ts";
import { type Language, languageOf, MESSAGES, type Messages } from "./messages.ts";

/** What each chat is spoken to in; kept, because much is said when nobody has just written. */
export interface Languages {
	/** Somebody with this language wrote in the chat. */
	note(chatId: number, code: string | undefined): void;
	words(chatId: number): Messages;
	/** For somebody of whom nothing is kept. */
	wordsFor(code: string | undefined): Messages;
}

export function createLanguages(sql: SqlDatabase, setting: "auto" | Language): Languages {
	const select = sql.prepare("SELECT language FROM telegram_languages WHERE chat_id = ?");
	const save = sql.prepare("INSERT OR REPLACE INTO telegram_languages (chat_id, language) VALUES (?, ?)");
	const find = (chatId: number) => {
		const row = select.get(chatId);
		return row === undefined ? undefined : languageOf(textColumn(row, "language"));
	};
	return {
		note(chatId, code) {
			if (setting === "auto" && find(chatId) !== languageOf(code)) save.run(chatId, languageOf(code));
		},
		words: (chatId) => MESSAGES[setting === "auto" ? (find(chatId) ?? "en") : setting],
		wordsFor: (code) => MESSAGES[setting === "auto" ? languageOf(code) : setting],
	};
}
