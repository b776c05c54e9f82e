import { AppError } from "../../core/kernel/errors.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { SqlDatabase, SqlStatement } from "../../core/ports/sql.ts";
import { type AfterCommit, createDurability, type Durability } from "./durability.ts";
import { sqlFault, toStorageError } from "./sql-errors.ts";
import type { NativeDatabase, NativeStatement } from "./sqlite-loader.ts";
import { createStatementCache } from "./statement-cache.ts";

/** Whether writes are let through, and where faults are told. */
export interface WriteGate {
	/** Throws when the storage is read-only now. */
	check(): void;
	/** Called with every error that SQLite raised. */
	fault(error: unknown): void;
	/** The database is locked: waits if a thread of our own has it, and says so. Another program is not waited for. */
	waitForOurs?(): boolean;
}
const openGate: WriteGate = { check: () => undefined, fault: () => undefined };

/** `SqlDatabase` over one connection. A nested transaction that throws takes back its own part only. */
export function createSqlDatabase(
	database: NativeDatabase,
	logger: Logger,
	gate: WriteGate = openGate,
	durability: Durability = createDurability({ syncer: undefined, logger, onFailure: () => undefined }),
): SqlDatabase {
	let depth = 0;
	let wrote = false;
	// SQLite ends a transaction by itself on some errors; what is written after that would be committed row by row.
	let lost: unknown;
	let waiting: AfterCommit[] = [];

	/** Inside a transaction the lock is ours already; outside, whatever is refused as busy has done nothing and can be done again. */
	const attempt = <T>(work: () => T): T => {
		for (let tries = 1; ; tries += 1) {
			try {
				return work();
			} catch (error) {
				const isOurs = depth === 0 && tries < MAX_TRIES && sqlFault(error) === "busy" && gate.waitForOurs?.() === true;
				if (!isOurs) throw error;
			}
		}
	};

	const guard = <T>(isWrite: boolean, work: () => T): T => {
		if (lost !== undefined) throw lost;
		if (isWrite) gate.check();
		try {
			const result = attempt(work);
			if (isWrite && depth === 0) durability.committed();
			else wrote ||= isWrite;
			return result;
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
		if (depth > 0) return void guard(false, () => database.exec(`SAVEPOINT nested_${depth}`));
		control(isReadOnly(gate) ? "BEGIN" : "BEGIN IMMEDIATE");
	};
	const commit = () => {
		if (lost !== undefined) throw lost;
		if (depth > 1) guard(false, () => database.exec(`RELEASE nested_${depth - 1}`));
		else control("COMMIT");
	};
	/** Prepared: these two stand around every group of deltas. */
	const controls = new Map<string, NativeStatement>();
	const control = (sql: string) => {
		guard(false, () => {
			const statement = controls.get(sql) ?? database.prepare(sql);
			controls.set(sql, statement);
			statement.run();
		});
	};
	const rollBack = () => {
		if (!database.isTransaction) return;
		if (depth > 1) database.exec(`ROLLBACK TO nested_${depth - 1}; RELEASE nested_${depth - 1}`);
		else database.exec("ROLLBACK");
	};

	/** The outermost transaction is over. Callbacks of one that was rolled back are gone already, and counting it costs a sync, no more. */
	const ended = () => {
		const runs = waiting;
		waiting = [];
		if (wrote) durability.committed();
		wrote = false;
		if (runs.length > 0) durability.after(runs);
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
				if (depth === 0) ended();
			}
		},
		afterCommit(run, lost) {
			if (depth > 0) waiting.push({ run, lost });
			else durability.after([{ run, lost }]);
		},
		durable: durability.durable,
		hasFailed: durability.hasFailed,
	};
}

const MAX_TRIES = 5;

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
