import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { openStore } from "../../../store/open-store.ts";
import { createWebSessions } from "./web-sessions.ts";

const BROWSER = { address: "127.0.0.1", userAgent: "x", method: "token" } as const;

function openSessions() {
	const clock = createFakeClock();
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const open = () => createWebSessions({ sql, clock, ids: randomIds, logger: silentLogger, tokenFingerprint: () => "t" });
	return { clock, sql, open };
}

test("[SE265] that a device was thrown out is known to the next server too", () => {
	const { open } = openSessions();
	const sessions = open();
	const [thrownOut, left] = [sessions.create(BROWSER), sessions.create(BROWSER)];
	sessions.revoke(thrownOut.session.id);
	sessions.end(left.session.id);
	const next = open();
	expect([next.wasRevoked(thrownOut.secret), next.wasRevoked(left.secret)]).toEqual([true, false]);
});

test("[SE267] of devices that were thrown out the newest thousand are remembered", async () => {
	const { clock, sql, open } = openSessions();
	const sessions = open();
	const secrets: string[] = [];
	for (let i = 0; i < 1_003; i += 1) {
		const { session, secret } = sessions.create(BROWSER);
		sessions.revoke(session.id);
		secrets.push(secret);
		await clock.advance(1);
	}
	expect(sql.prepare("SELECT COUNT(*) AS count FROM revoked_sessions").get()).toEqual({ count: 1_000 });
	expect([secrets[2], secrets[3], secrets.at(-1)].map((secret) => sessions.wasRevoked(String(secret)))).toEqual([false, true, true]);
});
