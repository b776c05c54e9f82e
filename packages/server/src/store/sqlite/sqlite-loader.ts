import { createRequire } from "node:module";
import { AppError } from "../../core/kernel/errors.ts";
import type { SqlRow } from "../../core/ports/sql.ts";

/** The part of `DatabaseSync` that the built-in module and the package share. */
export interface NativeDatabase {
	readonly isOpen: boolean;
	readonly isTransaction: boolean;
	prepare(sql: string): NativeStatement;
	exec(sql: string): void;
	close(): void;
}
export interface NativeStatement {
	run(...values: unknown[]): { changes: number | bigint };
	get(...values: unknown[]): SqlRow | undefined;
	all(...values: unknown[]): SqlRow[];
}
export interface SqliteModule {
	DatabaseSync: new (path: string, options?: { readOnly?: boolean; timeout?: number; defensive?: boolean }) => NativeDatabase;
}
export interface SqliteEngine {
	module: SqliteModule;
	/** What a worker thread gives to `require` to get the same engine. */
	specifier: string;
}

/** Every release from 3.7.0 up to here can corrupt a database in WAL mode when a checkpoint meets a write. */
export const OLDEST_SAFE_SQLITE = "3.51.3";
const PACKAGE = "@photostructure/sqlite";

/** Node's own SQLite from Node 24 on when it is new enough, otherwise the package with the same interface. */
export function loadSqlite(versions: { node: string; sqlite?: string } = process.versions): SqliteEngine {
	const builtIn = Number.parseInt(versions.node, 10) >= 24 && isSafeSqlite(versions.sqlite ?? "0");
	const require = createRequire(import.meta.url);
	const specifier = builtIn ? "node:sqlite" : require.resolve(PACKAGE);
	const loaded: unknown = require(specifier);
	if (!isSqliteModule(loaded))
		throw new AppError("storage-unusable", `${specifier} is not the SQLite module that was expected. Run npm install again.`, {
			params: { reason: "wrong-module", module: specifier },
		});
	return { module: loaded, specifier };
}

/** Throws when the SQLite behind this connection is one that can lose data. */
export function assertSafeSqlite(database: NativeDatabase) {
	const version = String(database.prepare("SELECT sqlite_version() AS version").get()?.version);
	if (isSafeSqlite(version)) return;
	throw new AppError(
		"storage-unusable",
		`SQLite ${version} can corrupt its files; ${OLDEST_SAFE_SQLITE} or newer is needed. Run npm install again or use a newer Node.`,
		{ params: { reason: "unsafe-sqlite", version, oldest: OLDEST_SAFE_SQLITE } },
	);
}

export function isSafeSqlite(version: string) {
	const [major = 0, minor = 0, patch = 0] = version.split(".").map(Number);
	const [oldestMajor = 0, oldestMinor = 0, oldestPatch = 0] = OLDEST_SAFE_SQLITE.split(".").map(Number);
	if (major !== oldestMajor) return major > oldestMajor;
	if (minor !== oldestMinor) return minor > oldestMinor;
	return patch >= oldestPatch;
}

function isSqliteModule(value: unknown): value is SqliteModule {
	return typeof value === "object" && value !== null && "DatabaseSync" in value && typeof value.DatabaseSync === "function";
}
