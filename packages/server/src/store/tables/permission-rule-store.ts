import type { PermissionRule, PermissionRuleStore } from "../../core/ports/permission-rules.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { numberColumn, textColumn } from "../../core/ports/sql-row.ts";
import { readOwnJson } from "../sqlite/own-json.ts";

export function createPermissionRuleStore(sql: SqlDatabase): PermissionRuleStore {
	return {
		list: () => sql.prepare("SELECT * FROM permission_rules ORDER BY position").all().map(toRule),
		ofFolder: (folder) => sql.prepare("SELECT * FROM permission_rules WHERE folder = ? ORDER BY position").all(folder).map(toRule),
		add({ id, folder, words, exact, writes, createdAt }) {
			sql
				.prepare(
					`INSERT INTO permission_rules (id, folder, words, exact, writes, created_at) VALUES (?, ?, ?, ?, ?, ?)
					 ON CONFLICT (folder, exact, words) DO UPDATE SET writes = max(writes, excluded.writes)`,
				)
				.run(id, folder, JSON.stringify(words), Number(exact), Number(writes), createdAt);
		},
		remove: (id) => sql.prepare("DELETE FROM permission_rules WHERE id = ? RETURNING id").get(id) !== undefined,
	};
}

function toRule(row: SqlRow): PermissionRule {
	return {
		id: textColumn(row, "id"),
		folder: textColumn(row, "folder"),
		words: readOwnJson<string[]>(textColumn(row, "words")),
		exact: numberColumn(row, "exact") === 1,
		writes: numberColumn(row, "writes") === 1,
		createdAt: numberColumn(row, "created_at"),
	};
}
