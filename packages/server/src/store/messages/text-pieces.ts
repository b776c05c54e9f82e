import { cutText } from "@rightseat/protocol/text";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import { cleanText } from "../sqlite/clean-text.ts";

/** The longest piece, in UTF-16 units; never ends inside a character. */
export const MAX_PIECE_CHARS = 65_536;

/** A part of a long text of one message; `start` counts UTF-16 units from the beginning of that text. */
export interface TextPiece {
	name: string;
	start: number;
	text: string;
}

/** The text from `from` on, in pieces. */
export function splitText(name: string, text: string, from: number): TextPiece[] {
	const pieces: TextPiece[] = [];
	for (let start = from; start < text.length; ) {
		const piece = cutText(text.slice(start, start + MAX_PIECE_CHARS + 1), MAX_PIECE_CHARS);
		pieces.push({ name, start, text: piece });
		start += piece.length;
	}
	return pieces;
}

/** Long texts of messages, in rows of their own. */
export interface TextPieces {
	/** Of a message that has none yet. */
	add(messageKey: number, pieces: readonly TextPiece[]): void;
	/** Replaces one text. */
	replaceText(messageKey: number, name: string, text: string): void;
	/** What lies in pieces of this text between two places, piece by piece. */
	read(messageKey: number, name: string, from: number, to: number): Generator<string>;
	/** The whole text, or undefined when there is none of that name. */
	find(messageKey: number, name: string): string | undefined;
}

export function createTextPieces(sql: SqlDatabase): TextPieces {
	// Prepared when they are used: the store is also opened on older schemas, in tests of the upgrade.
	const insert = () => sql.prepare("INSERT INTO message_pieces (message_key, name, start, text) VALUES (?, ?, ?, ?)");
	const removeText = () => sql.prepare("DELETE FROM message_pieces WHERE message_key = ? AND name = ?");
	const at = () =>
		sql.prepare("SELECT start, text FROM message_pieces WHERE message_key = ? AND name = ? AND start <= ? ORDER BY start DESC LIMIT 1");
	const all = () => sql.prepare("SELECT text FROM message_pieces WHERE message_key = ? AND name = ? ORDER BY start");

	function add(key: number, pieces: readonly TextPiece[]): void {
		for (const { name, start, text } of pieces) insert().run(key, name, start, cleanText(text));
	}
	return {
		add,
		replaceText(key, name, text) {
			removeText().run(key, name);
			add(key, splitText(name, text, 0));
		},
		*read(key, name, from, to) {
			for (let place = from; place < to; ) {
				const row = at().get(key, name, place);
				if (row === undefined) return;
				const start = numberColumn(row, "start");
				const piece = textColumn(row, "text").slice(place - start, to - start);
				if (piece === "") return;
				yield piece;
				place += piece.length;
			}
		},
		find(key, name) {
			const rows = all().all(key, name);
			return rows.length === 0 ? undefined : rows.map((row) => textColumn(row, "text")).join("");
		},
	};
}
