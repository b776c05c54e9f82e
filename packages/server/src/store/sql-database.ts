import { AppError } from "../core/errors.ts";
import type { Logger } from "../core/logger.ts";
import type { SqlDatabase, SqlStatement } from "../core/ports/sql.ts";
import { toStorageError } from "./sql-errors.ts";
import type { NativeDatabase } from "./sqlite-loader.ts";
import { createStatementCache } from "./statement-cache.ts";

/** Whether writes are let through, and where faults are told. */
export interface WriteGate {
	/** Throws when the storage is read-only now. */
	check(): void;
	/** Called with every error that SQLite raised. */
	fault(error: unknown): void;
}
const openGate: WriteGate = { check: () => undefined, fault: () => undefined };

/** `SqlDatabase` over one connection. A nested transaction that throws takes back its own part only. */
export function createSqlDatabase(database: NativeDatabase, logger: Logger, gate: WriteGate = openGate): SqlDatabase {
	let depth = 0;
	// SQLite ends a transaction by itself on some errors; what is written after that would be committed row by row.
	let lost: unknown;
	let waiting: (() => void)[] = [];
	const committed: (() => void)[] = [];
	let draining = false;

	const guard = <T>(isWrite: boolean, work: () => T): T => {
		if (lost !== undefined) throw lost;
		if (isWrite) gate.check();
		try {
			return work();
		} catch (error) {
			gate.fault(error);
			const translated = toStorageError(error);
			if (depth > 0 && !database.isTransaction) lost = translated;
			throw translated;
		}
	};

	const statements = createStatementCache((sql): SqlStatement => {
		const native = guard(false, () => database.prepare(sql));
		const isWrite = isWriting(sql);
		return {
			run: (...values) => guard(isWrite, () => ({ changes: Number(native.run(...values).changes) })),
			get: (...values) => guard(isWrite, () => native.get(...values)),
			all: (...values) => guard(isWrite, () => native.all(...values)),
		};
	});

	const begin = () => {
		if (depth > 0) return guard(false, () => database.exec(`SAVEPOINT nested_${depth}`));
		guard(false, () => database.exec(isReadOnly(gate) ? "BEGIN" : "BEGIN IMMEDIATE"));
	};
	const commit = () => {
		if (lost !== undefined) throw lost;
		guard(false, () => database.exec(depth > 1 ? `RELEASE nested_${depth - 1}` : "COMMIT"));
	};
	const rollBack = () => {
		if (!database.isTransaction) return;
		if (depth > 1) database.exec(`ROLLBACK TO nested_${depth - 1}; RELEASE nested_${depth - 1}`);
		else database.exec("ROLLBACK");
	};

	const drain = () => {
		if (draining) return;
		draining = true;
		// One queue for all: a callback that commits again must not have its own callbacks overtake those already waiting.
		for (let run = committed.shift(); run !== undefined; run = committed.shift()) {
			try {
				run();
			} catch (error) {
				logger.error({ error }, "A callback after a commit failed.");
			}
		}
		draining = false;
	};

	return {
		prepare: statements.get,
		exec: (sql) => guard(true, () => database.exec(sql)),
		transaction(work) {
			begin();
			const callbacksBefore = waiting.length;
			depth++;
			try {
				const result = work();
				if (isThenable(result)) throw new TypeError("A transaction cannot be asynchronous: it would be committed in pieces.");
				commit();
				depth--;
				if (depth === 0) {
					committed.push(...waiting);
					waiting = [];
				}
				return result;
			} catch (error) {
				waiting.length = callbacksBefore;
				try {
					rollBack();
				} finally {
					depth--;
					if (depth === 0) lost = undefined;
				}
				throw error;
			} finally {
				if (depth === 0) drain();
			}
		},
		afterCommit(run) {
			if (depth > 0) waiting.push(run);
			else run();
		},
		durable: () => Promise.resolve(),
	};
}

function isReadOnly(gate: WriteGate) {
	try {
		gate.check();
		return false;
	} catch (error) {
		if (error instanceof AppError) return true;
		throw error;
	}
}

function isWriting(sql: string) {
	if (/^\s*(select|values|explain|pragma)\b/i.test(sql)) return false;
	return !/^\s*with\b/i.test(sql) || /\b(insert|update|delete|replace)\b/i.test(sql);
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
	return typeof value === "object" && value !== null && "then" in value && typeof value.then === "function";
}
