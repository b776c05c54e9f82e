import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../core/kernel/ids.ts";
import { silentLogger } from "../../core/kernel/logger.ts";
import { openStore } from "../open-store.ts";
import { createAuditLog, MAX_AUDIT_ROWS, MAX_AUDITED_FAILURES_PER_MINUTE, MAX_FAILURE_ROWS } from "./audit-log.ts";

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

test("[SE27] the log is bounded, and failed logins are counted apart: strangers push out nobody's rows", async () => {
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

test("[SE27] a disk that is full keeps nobody from acting", async () => {
	const { audit, opened } = bed();
	await opened.close();
	expect(() => audit.record({ kind: "login", source: "127.0.0.1" })).not.toThrow();
});
