import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";
import { codeOf, loginHelpers } from "./login-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const { login, withCookie, logIn, status } = loginHelpers(() => bed);

test("[SE105] a code that a device made does not bring it back after it was thrown out", async () => {
	const [mine, other] = [await logIn(), await logIn()];
	const { url } = Object(await (await withCookie("/api/login-code", other, "POST")).json());
	const { sessions } = Object(await (await withCookie("/api/sessions", mine)).json());
	const target = sessions.find((session: { current: boolean }) => !session.current);
	await withCookie(`/api/sessions/${target.id}`, mine, "DELETE");
	expect((await login({ code: codeOf(url) })).status).toBe(401);
});

test("[SE6] logging out ends this session and its sockets at once, and no other", async () => {
	const [mine, other] = [await logIn(), await logIn()];
	const socket = await bed.connect({ cookie: mine, origin: bed.url });
	const kept = await bed.connect({ cookie: other, origin: bed.url });
	expect((await withCookie("/api/logout", mine, "POST")).status).toBe(204);
	expect((await socket.closed).code).toBe(4001);
	expect([await status(mine), await status(other)]).toEqual([401, 200]);
	kept.send({ type: "ping" });
	await kept.next("pong");
});

test("[SE7] logging out everywhere ends every other session, every other socket and every open code at once", async () => {
	const [mine, other] = [await logIn(), await logIn()];
	const kept = await bed.connect({ cookie: mine, origin: bed.url });
	const sockets = [await bed.connect({ cookie: other, origin: bed.url }), await bed.connect()];
	const code = codeOf(bed.channel.loginLink());
	expect((await withCookie("/api/logout-everywhere", mine, "POST")).status).toBe(204);
	for (const socket of sockets) expect((await socket.closed).code).toBe(4001);
	expect([await status(mine), await status(other)]).toEqual([200, 401]);
	kept.send({ type: "ping" });
	await kept.next("pong");
	expect((await login({ code })).status).toBe(401);
	expect((await login({ token: bed.token })).status).toBe(204);
});

test("[SE8] another text in the token file ends every session and socket within a second, without a restart", async () => {
	const mine = await logIn();
	const sockets = [await bed.connect({ cookie: mine, origin: bed.url }), await bed.connect()];
	const startedAt = Date.now();
	writeFileSync(join(bed.home, "token"), "a-new-token-a-new-token-a-new-token\n");
	for (const socket of sockets) expect((await socket.closed).code).toBe(4001);
	expect(Date.now() - startedAt).toBeLessThan(3_000);
	expect(await status(mine)).toBe(401);
	expect((await bed.api("/api/conversations")).status).toBe(401);
	expect((await login({ token: "a-new-token-a-new-token-a-new-token" })).status).toBe(204);
});

test("[SE224] the token can be replaced from the page", async () => {
	const mine = await logIn();
	expect((await withCookie("/api/token/rotate", mine, "POST")).status).toBe(204);
	expect(await status(mine)).toBe(401);
	expect((await bed.api("/api/conversations")).status).toBe(401);
});

test("[SE9] devices are listed, and one can be thrown out with its sockets", async () => {
	const [mine, other] = [await logIn(), await logIn()];
	const socket = await bed.connect({ cookie: other, origin: bed.url });
	const { sessions } = Object(await (await withCookie("/api/sessions", mine)).json());
	expect(sessions).toHaveLength(2);
	expect(JSON.stringify(sessions)).not.toContain(mine.split("=")[1]);
	const target = sessions.find((session: { current: boolean }) => !session.current);
	expect(target).toMatchObject({ method: "token", address: "127.0.0.1", userAgent: expect.any(String), lastSeenAt: expect.any(String) });
	expect((await withCookie(`/api/sessions/${target.id}`, mine, "DELETE")).status).toBe(204);
	expect((await socket.closed).code).toBe(4001);
	expect([await status(mine), await status(other)]).toEqual([200, 401]);
	expect((await withCookie(`/api/sessions/${target.id}`, mine, "DELETE")).status).toBe(404);
});

test("[SE110] a device that was thrown out is told so when it comes back; one that left or ran out is not", async () => {
	const codeFor = async (cookie: string) => Object(await (await withCookie("/api/conversations", cookie)).json()).error?.code;
	const [mine, thrownOut, left, old] = [await logIn(), await logIn(), await logIn(), await logIn()];
	const { sessions } = Object(await (await withCookie("/api/sessions", thrownOut)).json());
	const target = sessions.find((session: { current: boolean }) => session.current);
	await withCookie(`/api/sessions/${target.id}`, mine, "DELETE");
	await withCookie("/api/logout", left, "POST");
	bed.rows("UPDATE web_sessions SET last_seen_at = 0 WHERE rowid = (SELECT MAX(rowid) FROM web_sessions) RETURNING id");
	expect([await codeFor(thrownOut), await codeFor(left), await codeFor(old)]).toEqual(["login-revoked", "unauthorized", "unauthorized"]);
	expect(await codeFor(`rightseat_${bed.port}=nobody`)).toBe("unauthorized");
	writeFileSync(join(bed.home, "token"), "a-new-token-a-new-token-a-new-token\n");
	await login({ token: "a-new-token-a-new-token-a-new-token" });
	expect(await codeFor(mine)).toBe("login-revoked");
});

test("[SE112] locking closes every way in and keeps the session that asked", async () => {
	await bed.close();
	const revoked: number[] = [];
	const people = [
		{ userId: 7, name: "Mallory", fixed: false },
		{ userId: 8, name: "Owner", fixed: true },
	];
	const telegram = {
		status: () => ({}),
		isPairing: () => true,
		pending: () => [],
		confirm: () => undefined,
		people: () => people,
		revoke: (id: number) => revoked.push(id) > 0,
		linkCode: () => "",
	};
	bed = await createWebBed({ deps: { telegram } });
	const [mine, other] = [await logIn(), await logIn()];
	const post = (path: string, body: unknown, cookie: string) =>
		fetch(`${bed.url}${path}`, {
			method: "POST",
			headers: { "content-type": "application/json", origin: bed.url, cookie },
			body: JSON.stringify(body),
		});
	await post("/api/password", { password: "correct horse battery" }, mine);
	expect(await status(other)).toBe(401);
	const intruder = await logIn();
	bed.rows("INSERT INTO passkeys VALUES ('k', x'00', 0, '[]', 'Theirs', 'localhost', 1, NULL) RETURNING id");
	bed.rows("INSERT INTO push_subscriptions VALUES ('p', 'https://push.example/x', 'k', 'a', NULL, 1) RETURNING id");
	const socket = await bed.connect({ cookie: intruder, origin: bed.url });
	const kept = await bed.connect({ cookie: mine, origin: bed.url });
	const code = codeOf(bed.channel.loginLink());
	const all = { devices: 1, password: true, passkeys: ["Theirs"], notifications: 1, telegram: ["Mallory"], telegramFixed: ["Owner"] };
	expect(await (await withCookie("/api/lock", mine)).json()).toEqual({ open: all });
	expect(await (await withCookie("/api/lock", mine, "POST")).json()).toEqual({ closed: all });
	expect((await socket.closed).code).toBe(4001);
	expect(revoked).toEqual([7]);
	expect([await status(mine), await status(intruder), (await bed.api("/api/conversations")).status]).toEqual([200, 401, 401]);
	expect((await login({ code })).status).toBe(401);
	expect((await login({ password: "correct horse battery" })).status).toBe(401);
	expect(Object(await (await withCookie("/api/lock", mine)).json()).open).toEqual({
		...all,
		...{ devices: 0, password: false, passkeys: [], notifications: 0 },
	});
	kept.send({ type: "ping" });
	await kept.next("pong");
	// The session goes on under the new token, also after the file was looked at again.
	expect(await status(mine)).toBe(200);
});

test("[SE113] a page that lives on its socket is in use: its session does not run out", async () => {
	await bed.close();
	const clock = createFakeClock();
	bed = await createWebBed({ clock });
	const mine = await logIn();
	const socket = await bed.connect({ cookie: mine, origin: bed.url });
	const seen = () => Number(Object(bed.rows("SELECT last_seen_at FROM web_sessions")[0]).last_seen_at);
	const before = seen();
	for (let minute = 0; minute < 12; minute += 1) {
		socket.send({ type: "ping" });
		await socket.next("pong");
		await clock.advance(60_000);
	}
	expect(seen()).toBe(before + 10 * 60_000);
});

test("[SE10] a session that ran out while a socket was open takes the socket with it", async () => {
	await bed.close();
	const clock = createFakeClock();
	bed = await createWebBed({ clock });
	const mine = await logIn();
	const socket = await bed.connect({ cookie: mine, origin: bed.url });
	bed.rows("UPDATE web_sessions SET last_seen_at = 0 RETURNING id");
	await clock.advance(60_000);
	expect((await socket.closed).code).toBe(4001);
	expect(await status(mine)).toBe(401);
});
