import type { Clock } from "../../core/clock.ts";
import { isoTime } from "../../core/clock.ts";
import type { Logger } from "../../core/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import type { Redactor } from "../../core/redact.ts";

export const MAX_AUDIT_ROWS = 5_000;
/** Failed logins written down per minute; the rest only counted, so that an attacker cannot push out what matters. */
export const MAX_AUDITED_FAILURES_PER_MINUTE = 20;
const MAX_DETAIL_CHARS = 500;
const PRUNE_EVERY = 100;

export type AuditKind =
	| "login"
	| "login-failed"
	| "logout"
	| "logout-everywhere"
	| "session-revoked"
	| "login-code"
	| "token-rotated"
	| "permission"
	| "command"
	| "terminal"
	| "settings"
	| "telegram"
	| "push";

export interface AuditEntry {
	id: number;
	at: string;
	kind: AuditKind;
	/** Where it came from: an address, `telegram`, … */
	source: string;
	detail: string;
}

/** Who came in and what they allowed, ran and changed; bounded, newest kept. */
export interface AuditLog {
	record(entry: { kind: AuditKind; source: string; detail?: string }): void;
	list(page: { before?: number; limit: number }): { entries: AuditEntry[]; nextCursor?: string };
}

export function createAuditLog(deps: { sql: SqlDatabase; clock: Clock; redact: Redactor["line"]; logger: Logger }): AuditLog {
	const { sql, clock } = deps;
	let sincePrune = PRUNE_EVERY;
	let failures = { count: 0, resetAt: 0 };

	function failureFits(): boolean {
		if (failures.resetAt <= clock.elapsed()) failures = { count: 0, resetAt: clock.elapsed() + 60_000 };
		failures.count += 1;
		return failures.count <= MAX_AUDITED_FAILURES_PER_MINUTE;
	}
	function write(entry: { kind: AuditKind; source: string; detail?: string }) {
		sql
			.prepare("INSERT INTO audit_log (at, kind, source, detail) VALUES (?, ?, ?, ?)")
			.run(clock.now(), entry.kind, entry.source.slice(0, 100), oneLine(deps.redact(entry.detail ?? "")));
		sincePrune += 1;
		if (sincePrune < PRUNE_EVERY) return;
		sincePrune = 0;
		sql.prepare("DELETE FROM audit_log WHERE id <= (SELECT MAX(id) FROM audit_log) - ?").run(MAX_AUDIT_ROWS);
	}
	return {
		record(entry) {
			if (entry.kind === "login-failed" && !failureFits()) return;
			try {
				write(entry);
			} catch (error) {
				// With a full disk people must still be able to come in, look and stop things.
				deps.logger.warn({ error, kind: entry.kind }, "The audit log could not be written.");
			}
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

const KINDS: readonly AuditKind[] = [
	"login",
	"login-failed",
	"logout",
	"logout-everywhere",
	"session-revoked",
	"login-code",
	"token-rotated",
	"permission",
	"command",
	"terminal",
	"settings",
	"telegram",
	"push",
];
const kindOf = (kind: string): AuditKind => KINDS.find((known) => known === kind) ?? "settings";

/** A log line stays a line: no breaks, no escape sequences. */
const oneLine = (text: string) => text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g, " ").slice(0, MAX_DETAIL_CHARS);
