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
	opened(database: NativeDatabase): void;
}

/** SQLite itself, with somebody who sees every call of the server's connection, and may let it fail. */
export function watchedEngine(real: SqliteEngine, watch: EngineWatch): SqliteEngine {
	class WatchedDatabase implements NativeDatabase {
		private readonly native: NativeDatabase;
		private readonly isWatched: boolean;

		constructor(path: string, options?: { readOnly?: boolean; timeout?: number; defensive?: boolean }) {
			this.native = new real.module.DatabaseSync(path, options);
			this.isWatched = path === watch.path && options?.readOnly !== true;
			if (this.isWatched) watch.opened(this.native);
		}
		get isOpen() {
			return this.native.isOpen;
		}
		get isTransaction() {
			return this.native.isOpen && this.native.isTransaction;
		}
		exec(sql: string) {
			this.watched(operationOf(sql), () => this.native.exec(sql));
		}
		prepare(sql: string): NativeStatement {
			const statement = this.watched("read", () => this.native.prepare(sql));
			if (!this.isWatched) return statement;
			const operation = operationOf(sql);
			return {
				run: (...values) => this.watched(operation, () => statement.run(...values)),
				get: (...values) => this.watched(operation, () => statement.get(...values)),
				all: (...values) => this.watched(operation, () => statement.all(...values)),
			};
		}
		close() {
			this.native.close();
		}
		private watched<T>(operation: Operation, work: () => T): T {
			if (!this.isWatched) return work();
			watch.before(operation, () => {
				if (this.native.isTransaction) this.native.exec("ROLLBACK");
			});
			const result = work();
			watch.after(operation);
			return result;
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
