import { cutText } from "@rightseat/protocol/text";
import { isStorageRefusal, RETRY_MS } from "../../core/active/storage-retry.ts";
import { type Cancel, type Clock, isoTime } from "../../core/kernel/clock.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { Redactor } from "../../core/kernel/redact.ts";
import { AUDIT_KINDS, type AuditKind, type AuditLog, type AuditRecord } from "../../core/ports/audit.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";

/** What people did, newest kept … */
export const MAX_AUDIT_ROWS = 5_000;
/** … and, apart from that, failed logins: strangers make them at will and push out nothing but each other. */
export const MAX_FAILURE_ROWS = 1_000;
/** … and calls of other programs, which must not push out what people did either. */
export const MAX_MCP_ROWS = 2_000;
/** … and commands that a remembered permission let run, which nobody did at all. */
export const MAX_RULE_ROWS = 2_000;
/** Failed logins written down per minute; the rest is counted, and the next one that is written says how many. */
export const MAX_AUDITED_FAILURES_PER_MINUTE = 20;
const MAX_DETAIL_CHARS = 500;
/** Entries that wait in memory while the disk refuses, some 600 characters each; the oldest gives way, failed logins first. */
export const MAX_WAITING_ENTRIES = 1_000;
const PRUNE_EVERY = 100;

interface WaitingEntry {
	at: number;
	kind: AuditKind;
	source: string;
	detail: string;
}

export function createAuditLog(deps: { sql: SqlDatabase; clock: Clock; redact: Redactor["line"]; logger: Logger }): AuditLog {
	const { sql, clock } = deps;
	let sincePrune = PRUNE_EVERY;
	let failures = { count: 0, resetAt: 0 };
	let unwritten = 0;
	const waiting: WaitingEntry[] = [];
	let cancelRetry: Cancel | undefined;
	/** Said once, not at every attempt. */
	let isFailing = false;

	/** The failure as it is to be written, or undefined when it is only counted. */
	function failure(entry: AuditRecord): AuditRecord | undefined {
		if (failures.resetAt <= clock.elapsed()) failures = { count: 0, resetAt: clock.elapsed() + 60_000 };
		if (entry.limited === true || failures.count >= MAX_AUDITED_FAILURES_PER_MINUTE) {
			unwritten += 1;
			return undefined;
		}
		failures.count += 1;
		if (unwritten === 0) return entry;
		const detail = `${entry.detail ?? ""} (${unwritten} more before this one were only counted)`;
		unwritten = 0;
		return { ...entry, detail };
	}
	function write({ at, kind, source, detail }: WaitingEntry) {
		sql.prepare("INSERT INTO audit_log (at, kind, source, detail) VALUES (?, ?, ?, ?)").run(at, kind, source, detail);
		sincePrune += 1;
		if (sincePrune < PRUNE_EVERY) return;
		sincePrune = 0;
		const keepNewest = (where: string, rows: number) =>
			sql
				.prepare(
					`DELETE FROM audit_log WHERE ${where} AND id <= (SELECT id FROM audit_log WHERE ${where} ORDER BY id DESC LIMIT 1 OFFSET ?)`,
				)
				.run(rows);
		keepNewest("kind NOT IN ('login-failed', 'mcp', 'rule-used')", MAX_AUDIT_ROWS);
		keepNewest("kind = 'mcp'", MAX_MCP_ROWS);
		keepNewest("kind = 'rule-used'", MAX_RULE_ROWS);
		keepNewest("kind = 'login-failed'", MAX_FAILURE_ROWS);
	}
	/** Writes what waits, in order; while the disk refuses, it is retried. */
	function flush() {
		try {
			for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
				write(next);
				waiting.shift();
			}
			isFailing = false;
		} catch (error) {
			// With a full disk people must still be able to come in, look and stop things.
			if (!isFailing) deps.logger.warn({ err: error, waiting: waiting.length }, "The audit log could not be written; trying again");
			isFailing = true;
			if (isStorageRefusal(error)) cancelRetry ??= clock.after(RETRY_MS, retry);
			else waiting.length = 0;
		}
	}
	function retry() {
		cancelRetry = undefined;
		flush();
	}
	function asOfNow({ kind, source, detail = "" }: AuditRecord): WaitingEntry {
		return { at: clock.now(), kind, source: oneLine(source, 100), detail: oneLine(deps.redact(detail), MAX_DETAIL_CHARS) };
	}
	return {
		entry(given) {
			const entry = asOfNow(given);
			return () => write(entry);
		},
		record(entry) {
			const written = entry.kind === "login-failed" ? failure(entry) : entry;
			if (written === undefined) return;
			waiting.push(asOfNow(written));
			if (waiting.length > MAX_WAITING_ENTRIES) {
				const stranger = waiting.findIndex((each) => each.kind === "login-failed");
				waiting.splice(Math.max(0, stranger), 1);
			}
			if (cancelRetry === undefined) flush();
		},
		list(page) {
			const rows = sql
				.prepare("SELECT * FROM audit_log WHERE id < ? ORDER BY id DESC LIMIT ?")
				.all(page.before ?? Number.MAX_SAFE_INTEGER, page.limit + 1);
			const entries = rows.slice(0, page.limit).map((row) => ({
				id: Number(row.id),
				at: isoTime(Number(row.at)),
				kind: kindOf(String(row.kind)),
				source: String(row.source),
				detail: String(row.detail),
			}));
			const last = entries.at(-1);
			return rows.length > page.limit && last !== undefined ? { entries, nextCursor: String(last.id) } : { entries };
		},
	};
}

const kindOf = (kind: string): AuditKind => AUDIT_KINDS.find((known) => known === kind) ?? "settings";

/** A log line stays a line: no breaks, no escape sequences. */
const oneLine = (text: string, max: number) => cutText(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " "), max);
