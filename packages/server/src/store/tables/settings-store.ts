import type { SqlDatabase } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { SettingsStore } from "../../core/ports/store.ts";
import { cleanText } from "../sqlite/clean-text.ts";

export function createSettingsStore(sql: SqlDatabase): SettingsStore {
	return {
		get(key) {
			const row = sql.prepare("SELECT value FROM settings WHERE key = ?").get(key);
			return row === undefined ? undefined : textColumn(row, "value");
		},
		set(key, value) {
			sql.prepare("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)").run(key, cleanText(value));
		},
		delete(key) {
			sql.prepare("DELETE FROM settings WHERE key = ?").run(key);
		},
	};
}
