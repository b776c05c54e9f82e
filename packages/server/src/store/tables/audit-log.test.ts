import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../core/ports/sql.ts";
import { openStore } from "../open-store.ts";
import {
	createAuditLog,
	MAX_AUDIT_ROWS,
	MAX_AUDITED_FAILURES_PER_MINUTE,
	MAX_FAILURE_ROWS,
	MAX_MCP_ROWS,
	MAX_RULE_ROWS,
	MAX_WAITING_ENTRIES,
} from "./audit-log.ts";

function bed() {
	const clock = createFakeClock();
	const opened = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const audit = createAuditLog({ sql: opened.sql, clock, redact: (text) => text.replace("hunter22", "…"), logger: silentLogger });
	return { clock, opened, audit };
}

test("[SE27] entries are kept newest first, on one line, without secrets, in pages", () => {
	const { audit } = bed();
	audit.record({ kind: "login", source: "127.0.0.1", detail: "token" });
	audit.record({ kind: "command", source: "127.0.0.1", detail: "echo hunter22\n\u001b[31mred" });
	const first = audit.list({ limit: 1 });
	expect(first.entries).toMatchObject([{ kind: "command", detail: "echo … [31mred" }]);
	expect(audit.list({ limit: 5, before: Number(first.nextCursor) }).entries).toMatchObject([{ kind: "login", source: "127.0.0.1" }]);
});

test("[SE232] the log is bounded, and failed logins are counted apart: strangers push out nobody's rows", async () => {
	const { audit, clock, opened } = bed();
	const countOf = (where: string) => Number(opened.sql.prepare(`SELECT COUNT(*) AS n FROM audit_log WHERE ${where}`).get()?.n);
	for (let i = 0; i < 10; i += 1) audit.record({ kind: "command", source: "127.0.0.1", detail: "the owner's" });
	const minutes = (MAX_FAILURE_ROWS + 400) / MAX_AUDITED_FAILURES_PER_MINUTE;
	for (let minute = 0; minute < minutes; minute += 1) {
		for (let i = 0; i < 100; i += 1) audit.record({ kind: "login-failed", source: "10.0.0.1", detail: "token" });
		await clock.advance(60_000);
	}
	expect(countOf("kind = 'login-failed'")).toBeLessThanOrEqual(MAX_FAILURE_ROWS + 100);
	expect(countOf("detail = 'the owner''s'")).toBe(10);
	opened.sql.transaction(() => {
		for (let i = 0; i < MAX_AUDIT_ROWS + 150; i += 1) audit.record({ kind: "command", source: "x" });
	});
	expect(countOf("kind <> 'login-failed'")).toBeLessThanOrEqual(MAX_AUDIT_ROWS + 100);
	expect(countOf("kind = 'login-failed'")).toBeGreaterThanOrEqual(MAX_FAILURE_ROWS - 100);
});

test("[MC36] calls of programs are kept apart: they push out nothing that people did", () => {
	const { audit, opened } = bed();
	const countOf = (where: string) => Number(opened.sql.prepare(`SELECT COUNT(*) AS n FROM audit_log WHERE ${where}`).get()?.n);
	for (let i = 0; i < 10; i += 1) audit.record({ kind: "command", source: "127.0.0.1" });
	opened.sql.transaction(() => {
		for (let i = 0; i < MAX_AUDIT_ROWS + MAX_MCP_ROWS; i += 1) audit.record({ kind: "mcp", source: "mcp Editor" });
	});
	expect(countOf("kind = 'command'")).toBe(10);
	expect(countOf("kind = 'mcp'")).toBeLessThanOrEqual(MAX_MCP_ROWS + 100);
});

test("[SE150] what was rate limited is counted, not written, and the next failure says how many", async () => {
	const { audit, clock } = bed();
	for (let i = 0; i < 50; i += 1) audit.record({ kind: "login-failed", source: "10.0.0.1", detail: "token", limited: true });
	expect(audit.list({ limit: 10 }).entries).toEqual([]);
	audit.record({ kind: "login-failed", source: "10.0.0.1", detail: "token" });
	await clock.advance(1);
	audit.record({ kind: "login-failed", source: "10.0.0.1", detail: "token" });
	expect(audit.list({ limit: 10 }).entries.map((entry) => entry.detail)).toEqual([
		"token",
		"token (50 more before this one were only counted)",
	]);
});

test("[SE233] a disk that is full keeps nobody from acting", async () => {
	const { audit, opened } = bed();
	await opened.close();
	expect(() => audit.record({ kind: "login", source: "127.0.0.1" })).not.toThrow();
});

/** A disk that refuses while `refusing`. */
function refusingBed() {
	const { clock, opened } = bed();
	const disk = { isRefusing: false };
	const sql: SqlDatabase = {
		...opened.sql,
		prepare(text) {
			if (disk.isRefusing && text.startsWith("INSERT")) throw new AppError("storage-read-only", "The disk is full.");
			return opened.sql.prepare(text);
		},
	};
	return { clock, disk, audit: createAuditLog({ sql, clock, redact: (text) => text, logger: silentLogger }) };
}

test("[EV170] what people did while the disk refused is written when it does not, in order and with its own time", async () => {
	const { clock, disk, audit } = refusingBed();
	disk.isRefusing = true;
	const began = new Date(clock.now()).toISOString();
	audit.record({ kind: "command", source: "web", detail: "one" });
	await clock.advance(10_000);
	audit.record({ kind: "command", source: "web", detail: "two" });
	disk.isRefusing = false;
	audit.record({ kind: "command", source: "web", detail: "three" });
	await clock.advance(1_000);
	const { entries } = audit.list({ limit: 10 });
	expect(entries.map(({ detail }) => detail)).toEqual(["three", "two", "one"]);
	expect(entries[2]?.at).toBe(began);
	expect(clock.pending()).toBe(0);
});

test("[EV171] what waits for the disk is bounded; failed logins give way first, then the oldest", async () => {
	const { clock, disk, audit } = refusingBed();
	disk.isRefusing = true;
	audit.record({ kind: "command", source: "web", detail: "oldest" });
	audit.record({ kind: "login-failed", source: "10.0.0.1", detail: "token" });
	for (let count = 2; count < MAX_WAITING_ENTRIES + 2; count += 1) audit.record({ kind: "command", source: "web", detail: `${count}` });
	disk.isRefusing = false;
	await clock.advance(1_000);
	const { entries } = audit.list({ limit: 2 * MAX_WAITING_ENTRIES });
	expect(entries).toHaveLength(MAX_WAITING_ENTRIES);
	expect(entries.some(({ kind, detail }) => kind === "login-failed" || detail === "oldest")).toBe(false);
});

test("[RP48] uses of remembered permissions are kept apart: they push out nothing that people did", () => {
	const { audit, opened } = bed();
	const countOf = (where: string) => Number(opened.sql.prepare(`SELECT COUNT(*) AS n FROM audit_log WHERE ${where}`).get()?.n);
	audit.record({ kind: "permission-rule", source: "127.0.0.1" });
	opened.sql.transaction(() => {
		for (let i = 0; i < MAX_RULE_ROWS + 150; i += 1) audit.record({ kind: "rule-used", source: "agent" });
	});
	expect([countOf("kind = 'permission-rule'"), countOf("kind = 'rule-used'") <= MAX_RULE_ROWS + 100]).toEqual([1, true]);
});
