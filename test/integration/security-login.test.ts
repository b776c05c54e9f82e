import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BEARER_FAILURES_PER_MINUTE } from "../../packages/server/src/channels/web/auth/login-limiter.ts";
import { SESSION_ABSOLUTE_MS } from "../../packages/server/src/channels/web/auth/web-sessions.ts";
import { MAX_AUDITED_FAILURES_PER_MINUTE } from "../../packages/server/src/store/audit-log.ts";
import { createFakeClock } from "../support/fake-clock.ts";
import { lines, rawRequest } from "./security-raw.ts";
import { createWebBed, type WebBed } from "./ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const login = (body: unknown, headers: Record<string, string> = {}) =>
	fetch(`${bed.url}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json", ...headers },
		body: JSON.stringify(body),
	});
const cookieOf = (response: Response) => String(response.headers.get("set-cookie")).split(";")[0] ?? "";
const logIn = async () => cookieOf(await login({ token: bed.token }));
const withCookie = (path: string, cookie: string, method = "GET") =>
	fetch(`${bed.url}${path}`, { method, headers: { cookie, origin: bed.url } });
const status = async (cookie: string) => (await withCookie("/api/conversations", cookie)).status;
const codeOf = (link: string) => new URL(link).hash.replace("#code=", "");

test("[SE3] the token opens a session with a strict cookie whose name carries the port", async () => {
	const response = await login({ token: bed.token });
	expect(response.status).toBe(204);
	const attributes = `Path=/; HttpOnly; SameSite=Strict; Max-Age=${SESSION_ABSOLUTE_MS / 1000}`;
	expect(response.headers.get("set-cookie")).toMatch(new RegExp(`^rightseat_${bed.port}=[\\w-]{43}; ${attributes}$`));
	expect(await status(cookieOf(response))).toBe(200);
	expect(await status(`${cookieOf(response)}x`)).toBe(401);
});

test("[SE119] two servers behind forwarded ports of one host do not log each other out", async () => {
	const post = (path: string, host: string, cookie = "") =>
		rawRequest(
			bed.port,
			`${lines(
				`POST ${path} HTTP/1.1`,
				`Host: ${host}`,
				`Origin: http://${host}`,
				...(cookie === "" ? [] : [`Cookie: ${cookie}`]),
				"Content-Type: application/json",
				`Content-Length: ${JSON.stringify({ token: bed.token }).length}`,
				"Connection: close",
			)}${JSON.stringify({ token: bed.token })}`,
		);
	const cookieUnder = async (host: string) => /set-cookie: (\S+?);/i.exec((await post("/api/login", host)).head)?.[1] ?? "";
	const [first, second, direct] = [await cookieUnder("localhost:8000"), await cookieUnder("localhost:8001"), await logIn()];
	expect([first, second].map((cookie) => cookie.split("=")[0])).toEqual(["rightseat_8000", "rightseat_8001"]);
	const statusUnder = async (host: string, cookie: string) =>
		(await rawRequest(bed.port, lines("GET /api/conversations HTTP/1.1", `Host: ${host}`, `Cookie: ${cookie}`, "Connection: close")))
			.status;
	expect(await statusUnder("localhost:8000", `${second}; ${first}`)).toBe(200);
	expect(await statusUnder("localhost:8000", second)).toBe(401);
	// A login from before, or from a name without a port.
	expect(await statusUnder("localhost:8000", direct)).toBe(200);
	const left = await post("/api/logout", "localhost:8000", first);
	expect(left.status).toBe(204);
	expect(left.head).toMatch(/rightseat_8000=; .*Max-Age=0/);
});

test("[SE3] behind a declared proxy with TLS the cookie is Secure and bound to the host", async () => {
	const proxied = await createWebBed({ config: { behindProxy: true, publicUrl: "https://pilot.example.org" } });
	const response = await fetch(`http://127.0.0.1:${proxied.port}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json", "x-forwarded-proto": "https" },
		body: JSON.stringify({ token: proxied.token }),
	});
	expect(response.headers.get("set-cookie")).toMatch(new RegExp(`^__Host-rightseat_${proxied.port}=.*; Secure$`));
	await proxied.close();
});

test("[SE4] five wrong attempts, then 429 with Retry-After; the right token and open sessions are never locked out", async () => {
	const mine = await logIn();
	const attempts = [{ token: "wrong" }, { code: "wrong" }, { token: "x", deviceToken: "y" }, { code: "" }, { token: 7 }, {}];
	const statuses: number[] = [];
	for (let i = 0; i < 4; i += 1) for (const body of attempts.slice(0, 3)) statuses.push((await login(body)).status);
	expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
	const refused = await login({ token: "wrong" }, { "x-forwarded-for": "10.9.8.7", forwarded: "for=10.9.8.7" });
	expect(refused.status).toBe(429);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
	expect(await status(mine)).toBe(200);
	expect((await login({ token: bed.token })).status).toBe(204);
	expect((await login({ code: codeOf(bed.channel.loginLink()) })).status).toBe(204);
});

test("[SE4] a short token that could be guessed is not even compared above the limit", async () => {
	writeFileSync(join(bed.home, "token"), "short-token\n");
	expect((await login({ token: "short-token" })).status).toBe(204);
	for (let i = 0; i < 5; i += 1) await login({ token: "wrong" });
	expect((await login({ token: "short-token" })).status).toBe(429);
});

test("[SE109] a short token cannot be guessed through the Authorization header either: one limit, before the comparison", async () => {
	writeFileSync(join(bed.home, "token"), "4711\n");
	const guess = async (token: string) => (await bed.api("/api/conversations", { headers: { authorization: `Bearer ${token}` } })).status;
	expect(await guess("4711")).toBe(200);
	const statuses: number[] = [];
	for (let i = 0; i < 6; i += 1) statuses.push(await guess(`471${i + 2}`));
	expect(statuses).toEqual([401, 401, 401, 401, 401, 429]);
	expect(await guess("4711")).toBe(429);
	await expect(bed.connect({ authorization: "Bearer 4711" })).rejects.toThrow("429");
	expect((await login({ token: "4711" })).status).toBe(429);
});

test("[SE4] wrong Bearer tokens are limited too, on every path and at the upgrade", async () => {
	const statuses = new Set<number>();
	for (let i = 0; i < 61; i += 1)
		statuses.add((await bed.api("/api/conversations", { headers: { authorization: "Bearer wrong" } })).status);
	expect(statuses).toEqual(new Set([401, 429]));
	await expect(bed.connect({ authorization: "Bearer wrong" })).rejects.toThrow("429");
	expect((await bed.api("/api/conversations")).status).toBe(200);
});

test("[SE5] a login code works exactly once, also when two race for it", async () => {
	const code = codeOf(bed.channel.loginLink());
	const statuses = (await Promise.all([login({ code }), login({ code }), login({ code })])).map((response) => response.status);
	expect(statuses.sort()).toEqual([204, 401, 401]);
});

test("[SE5] another device gets a link with a code of its own", async () => {
	const made = await bed.api("/api/login-code", { method: "POST" });
	expect(made.status).toBe(201);
	const { url, qrSvg } = Object(await made.json());
	expect(url).toMatch(new RegExp(`^http://rightseat\\.localhost:${bed.port}/#code=[\\w-]{24}$`));
	expect(qrSvg).toContain("<svg");
	expect((await login({ code: codeOf(url) })).status).toBe(204);
});

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

test("[SE8] the token can be replaced from the page", async () => {
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

test("[SE27] logins, failures and log-outs are in the audit log", async () => {
	const mine = await logIn();
	await login({ token: "wrong" });
	await withCookie("/api/logout", mine, "POST");
	const { entries } = Object(await (await bed.api("/api/audit")).json());
	expect(entries.map((entry: { kind: string }) => entry.kind)).toEqual(["logout", "login-failed", "login"]);
	expect(JSON.stringify(entries)).not.toContain(bed.token);
});

test("[SE149] a wrong access token in a header is in the audit log, and above the limit only counted", async () => {
	for (let i = 0; i < BEARER_FAILURES_PER_MINUTE + 40; i += 1) {
		await fetch(`${bed.url}/api/status`, { headers: { authorization: `Bearer wrong-token-${i}-that-is-long-enough` } });
	}
	const { entries } = Object(await (await bed.api("/api/audit?limit=200")).json());
	expect(entries).toHaveLength(MAX_AUDITED_FAILURES_PER_MINUTE);
	expect(entries[0]).toMatchObject({ kind: "login-failed", source: "127.0.0.1", detail: "bearer" });
	expect(JSON.stringify(entries)).not.toContain("wrong-token");
});

test("[SE28] neither the token nor a cookie is in the database", async () => {
	const mine = await logIn();
	const dump = JSON.stringify(bed.rows("SELECT * FROM web_sessions"));
	expect(dump).not.toContain(bed.token);
	expect(dump).not.toContain(mine.split("=")[1]);
});
