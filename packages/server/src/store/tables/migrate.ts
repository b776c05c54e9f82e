import { AppError } from "../../core/kernel/errors.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { textColumn } from "../../core/ports/sql-row.ts";
import type { Migration } from "./migrations/migration.ts";

export interface PendingMigrations {
	applied: string[];
	missing: Migration[];
}

/** What the database still needs. Throws when it was written by a newer version, which this one would misread. */
export function pendingMigrations(sql: SqlDatabase, migrations: readonly Migration[]): PendingMigrations {
	const known = new Set(migrations.map((migration) => migration.name));
	const hasTable = sql.prepare("SELECT 1 AS found FROM sqlite_schema WHERE name = 'migrations'").get() !== undefined;
	const applied = hasTable
		? sql
				.prepare("SELECT name FROM migrations ORDER BY name")
				.all()
				.map((row) => textColumn(row, "name"))
		: [];
	const unknown = applied.filter((name) => !known.has(name));
	if (unknown.length > 0) {
		throw new AppError(
			"storage-unusable",
			`This database was written by a newer Rightseat (it has ${unknown.join(", ")}). Update Rightseat, or start it with another --home.`,
			{ params: { reason: "newer", migrations: unknown.join(", ") } },
		);
	}
	return { applied, missing: migrations.filter((migration) => !applied.includes(migration.name)) };
}

/** Brings the schema up to date, one transaction per step: a crash leaves a whole number of steps. A step that takes long tells `done` often which share of it is done. */
export function migrate(sql: SqlDatabase, missing: readonly Migration[], now: number, done?: (share: number) => void) {
	if (missing.length === 0) return;
	sql.exec("CREATE TABLE IF NOT EXISTS migrations (name TEXT PRIMARY KEY, applied_at INTEGER NOT NULL) STRICT, WITHOUT ROWID");
	for (const migration of missing) {
		sql.transaction(() => {
			migration.up(sql, done);
			sql.prepare("INSERT INTO migrations (name, applied_at) VALUES (?, ?)").run(migration.name, now);
		});
	}
}
