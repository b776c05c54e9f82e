import type { NativeDatabase, NativeStatement, SqliteEngine } from "../../../packages/server/src/store/sqlite/sqlite-loader.ts";

/** The process is gone: whoever asks it for something gets this. */
export class SimulatedDeath extends Error {}

/** What one call does to the disk. */
export type Operation = "read" | "begin" | "write" | "commit";

export interface EngineWatch {
	/** The file that the server works on; the lock and looks from outside are not watched. */
	readonly path: string;
	/** May throw: an error of SQLite's kind, or the death of the process. `rollBack` takes back what is open, as SQLite does on some errors. */
	before(operation: Operation, rollBack: () => void): void;
	after(operation: Operation): void;
	/** `isOwn`: the server's own connection. */
	opened(database: NativeDatabase, isOwn: boolean): void;
}

/** SQLite itself, with somebody who sees every call of the server's connection, and may let it fail. */
export function watchedEngine(real: SqliteEngine, watch: EngineWatch): SqliteEngine {
	class WatchedDatabase implements NativeDatabase {
		private readonly native: NativeDatabase;
		private readonly isWatched: boolean;
		private readonly rollBack = () => {
			if (this.native.isTransaction) this.native.exec("ROLLBACK");
		};

		constructor(path: string, options?: { readOnly?: boolean; timeout?: number; defensive?: boolean }) {
			this.native = new real.module.DatabaseSync(path, options);
			this.isWatched = path === watch.path && options?.readOnly !== true;
			watch.opened(this.native, this.isWatched);
		}
		get isOpen() {
			return this.native.isOpen;
		}
		get isTransaction() {
			return this.native.isOpen && this.native.isTransaction;
		}
		exec(sql: string) {
			if (!this.isWatched) return this.native.exec(sql);
			const operation = operationOf(sql);
			watch.before(operation, this.rollBack);
			this.native.exec(sql);
			watch.after(operation);
		}
		prepare(sql: string): NativeStatement {
			if (!this.isWatched) return this.native.prepare(sql);
			const { rollBack } = this;
			watch.before("read", rollBack);
			const statement = this.native.prepare(sql);
			watch.after("read");
			const operation = operationOf(sql);
			return {
				run(...values) {
					watch.before(operation, rollBack);
					const result = statement.run(...values);
					watch.after(operation);
					return result;
				},
				get(...values) {
					watch.before(operation, rollBack);
					const row = statement.get(...values);
					watch.after(operation);
					return row;
				},
				all(...values) {
					watch.before(operation, rollBack);
					const rows = statement.all(...values);
					watch.after(operation);
					return rows;
				},
			};
		}
		close() {
			this.native.close();
		}
	}
	return { ...real, module: { DatabaseSync: WatchedDatabase } };
}

function operationOf(sql: string): Operation {
	if (/^\s*(commit|release)\b/i.test(sql)) return "commit";
	if (/^\s*(begin|savepoint)\b/i.test(sql)) return "begin";
	return /^\s*(insert|update|delete|replace)\b/i.test(sql) ? "write" : "read";
}

/** An error as SQLite raises it. */
export function sqliteError(errcode: number, message: string): Error {
	return Object.assign(new Error(message), { errcode });
}
