import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { BEARER_FAILURES_PER_MINUTE } from "../../../packages/server/src/channels/web/auth/login-limiter.ts";
import { SESSION_ABSOLUTE_MS } from "../../../packages/server/src/channels/web/auth/web-sessions.ts";
import { MAX_AUDITED_FAILURES_PER_MINUTE } from "../../../packages/server/src/store/tables/audit-log.ts";
import { lines, rawRequest } from "../../support/raw-http.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";
import { codeOf, cookieOf, loginHelpers } from "./login-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const { login, withCookie, logIn, status } = loginHelpers(() => bed);

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

test("[SE4] five wrong attempts, then 429 with Retry-After, whatever form they take", async () => {
	const attempts = [{ token: "wrong" }, { code: "wrong" }, { token: "x", deviceToken: "y" }, { code: "" }, { token: 7 }, {}];
	const statuses: number[] = [];
	for (let i = 0; i < 4; i += 1) for (const body of attempts.slice(0, 3)) statuses.push((await login(body)).status);
	expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429, 429, 429, 429, 429, 429]);
	const refused = await login({ token: "wrong" }, { "x-forwarded-for": "10.9.8.7", forwarded: "for=10.9.8.7" });
	expect(refused.status).toBe(429);
	expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
});

test("[SE263] failures lock out neither the right generated token, nor a right code, nor an open session", async () => {
	const mine = await logIn();
	for (let i = 0; i < 7; i += 1) await login({ token: "wrong" });
	expect((await login({ token: "wrong" })).status).toBe(429);
	expect(await status(mine)).toBe(200);
	expect((await login({ token: bed.token })).status).toBe(204);
	expect((await login({ code: codeOf(bed.channel.loginLink()) })).status).toBe(204);
});

test("[SE109] a short token that could be guessed is not even compared above the limit", async () => {
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

test("[SE262] wrong Bearer tokens are limited too, on every path and at the upgrade", async () => {
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

test("[SE223] another device gets a link with a code of its own", async () => {
	const made = await bed.api("/api/login-code", { method: "POST" });
	expect(made.status).toBe(201);
	const { url, qrSvg } = Object(await made.json());
	expect(url).toMatch(new RegExp(`^http://rightseat\\.localhost:${bed.port}/#code=[\\w-]{24}$`));
	expect(qrSvg).toContain("<svg");
	expect((await login({ code: codeOf(url) })).status).toBe(204);
});

test("[SE149] logins, failures and log-outs are in the audit log", async () => {
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

test("[SE234] neither the token nor a cookie is in the database", async () => {
	const mine = await logIn();
	const dump = JSON.stringify(bed.rows("SELECT * FROM web_sessions"));
	expect(dump).not.toContain(bed.token);
	expect(dump).not.toContain(mine.split("=")[1]);
});
