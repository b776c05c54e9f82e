import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../core/ids.ts";
import { silentLogger } from "../../core/logger.ts";
import { openStore } from "../../store/open-store.ts";
import { createAuditLog, MAX_AUDIT_ROWS, MAX_AUDITED_FAILURES_PER_MINUTE } from "./audit-log.ts";

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

test("[SE27] the log is bounded and failed logins cannot push out the rest", async () => {
	const { audit, clock, opened } = bed();
	for (let i = 0; i < 100; i += 1) audit.record({ kind: "login-failed", source: "10.0.0.1" });
	expect(audit.list({ limit: 200 }).entries).toHaveLength(MAX_AUDITED_FAILURES_PER_MINUTE);
	await clock.advance(60_000);
	audit.record({ kind: "login-failed", source: "10.0.0.1" });
	expect(audit.list({ limit: 200 }).entries).toHaveLength(MAX_AUDITED_FAILURES_PER_MINUTE + 1);
	opened.sql.transaction(() => {
		for (let i = 0; i < MAX_AUDIT_ROWS + 150; i += 1) audit.record({ kind: "command", source: "x" });
	});
	const count = Number(opened.sql.prepare("SELECT COUNT(*) AS n FROM audit_log").get()?.n);
	expect(count).toBeLessThanOrEqual(MAX_AUDIT_ROWS + 100);
});
