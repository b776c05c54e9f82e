import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { OutboxSender } from "../../../packages/server/src/core/fleet/outbox-sender.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { fakeEverywhere } from "../../support/fake-everywhere.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";
import { codeOf, loginHelpers } from "./login-harness.ts";

let bed: WebBed;
let asked: Parameters<OutboxSender["ask"]>[0][];
beforeEach(async () => {
	asked = [];
	const everywhere = fakeEverywhere();
	const outbox: OutboxSender = { ...everywhere.outbox, ask: (isTheirs) => void asked.push(isTheirs) };
	bed = await createWebBed({ deps: { everywhere: { ...everywhere, outbox } } });
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

test("[FL371] what a device wrote for other hosts is asked about when it is thrown out, and not when it logs out", async () => {
	const [mine, other, left] = [await logIn(), await logIn(), await logIn()];
	const { sessions } = Object(await (await withCookie("/api/sessions", other)).json());
	const target = sessions.find((session: { current: boolean }) => session.current);
	await withCookie("/api/logout", left, "POST");
	expect(asked).toEqual([]);
	await withCookie(`/api/sessions/${target.id}`, mine, "DELETE");
	const of = (id: string) => ({ origin: "web" as const, from: `::1 device ${id}` });
	expect(asked.map((isTheirs) => [isTheirs(of(target.id)), isTheirs(of("another")), isTheirs({ origin: "web" })])).toEqual([
		[true, false, false],
	]);
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

test("[SE260] the audit log names the device that was thrown out, not the id of its login", async () => {
	const mine = await logIn();
	await login({ token: bed.token }, { "user-agent": "Mozilla/5.0 (iPhone) Safari/604.1" });
	const { sessions } = Object(await (await withCookie("/api/sessions", mine)).json());
	const target = sessions.find((session: { current: boolean }) => !session.current);
	await withCookie(`/api/sessions/${target.id}`, mine, "DELETE");
	expect(await (await withCookie("/api/audit?limit=1", mine)).json()).toMatchObject({
		entries: [{ kind: "session-revoked", detail: "Mozilla/5.0 (iPhone) Safari/604.1" }],
	});
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

const NEW_TOKEN = "a-new-token-a-new-token-a-new-token";
const codeFor = async (cookie: string) => Object(await (await withCookie("/api/conversations", cookie)).json()).error?.code;
const postWith = (cookie: string, path: string, body?: unknown) =>
	fetch(`${bed.url}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: bed.url, cookie },
		body: JSON.stringify(body ?? {}),
	});

const WAYS_TO_THROW_OUT: [how: string, act: (mine: string, theirs: string) => Promise<unknown>][] = [
	[
		"by another device",
		async (mine, theirs) => {
			const { sessions } = Object(await (await withCookie("/api/sessions", theirs)).json());
			const target = sessions.find((session: { current: boolean }) => session.current);
			return withCookie(`/api/sessions/${target.id}`, mine, "DELETE");
		},
	],
	["by a logout everywhere", (mine) => withCookie("/api/logout-everywhere", mine, "POST")],
	["by a new password", (mine) => postWith(mine, "/api/password", { password: "correct horse battery" })],
	[
		"by a passkey that was removed",
		(mine) => {
			bed.rows("INSERT INTO passkeys VALUES ('k', x'00', 0, '[]', 'Theirs', 'localhost', 1, NULL) RETURNING id");
			return withCookie("/api/passkeys/k", mine, "DELETE");
		},
	],
	[
		"by a new token",
		async () => {
			writeFileSync(join(bed.home, "token"), `${NEW_TOKEN}\n`);
			return login({ token: NEW_TOKEN });
		},
	],
	["by locking", (mine) => withCookie("/api/lock", mine, "POST")],
];
test.each(WAYS_TO_THROW_OUT)("[SE110] a device that was thrown out %s is told so when it comes back", async (_how, act) => {
	const [mine, theirs] = [await logIn(), await logIn()];
	await act(mine, theirs);
	expect(await codeFor(theirs)).toBe("login-revoked");
});

test("[SE266] a device that logged out, whose login expired or that never had one is not told that it was thrown out", async () => {
	const [left, old] = [await logIn(), await logIn()];
	await withCookie("/api/logout", left, "POST");
	bed.rows("UPDATE web_sessions SET last_seen_at = 0 RETURNING id");
	const strange = `rightseat_${bed.port}=nobody`;
	expect([await codeFor(left), await codeFor(old), await codeFor(strange)]).toEqual(["unauthorized", "unauthorized", "unauthorized"]);
});

/** A server on which an intruder has opened every way in that there is; what can be closed, and who was taken out of Telegram. */
async function intruded() {
	await bed.close();
	const removed: number[] = [];
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
		revoke: (id: number) => removed.push(id) > 0,
		linkCode: () => "",
	};
	bed = await createWebBed({ deps: { telegram } });
	const mine = await logIn();
	await postWith(mine, "/api/password", { password: "correct horse battery" });
	const intruder = await logIn();
	bed.rows("INSERT INTO passkeys VALUES ('k', x'00', 0, '[]', 'Theirs', 'localhost', 1, NULL) RETURNING id");
	bed.rows("INSERT INTO push_subscriptions VALUES ('p', 'https://push.example/x', 'k', 'a', NULL, 1) RETURNING id");
	return {
		...{ mine, intruder, removed },
		all: { devices: 1, password: true, passkeys: ["Theirs"], notifications: 1, telegram: ["Mallory"], telegramFixed: ["Owner"], mcp: [] },
		open: async () => Object(await (await withCookie("/api/lock", mine)).json()).open,
		lock: () => withCookie("/api/lock", mine, "POST"),
	};
}

test("[SE270] what locking would close can be read before, and the answer says what it closed", async () => {
	const { all, open, lock } = await intruded();
	expect(await open()).toEqual(all);
	expect(await (await lock()).json()).toEqual({ closed: all });
});

test("[SE112] locking ends every other device with its sockets, and every login code", async () => {
	const { intruder, lock } = await intruded();
	const socket = await bed.connect({ cookie: intruder, origin: bed.url });
	const code = codeOf(bed.channel.loginLink());
	await lock();
	expect((await socket.closed).code).toBe(4001);
	expect(await status(intruder)).toBe(401);
	expect((await login({ code })).status).toBe(401);
});

test("[SE271] locking removes password, passkeys and push subscriptions", async () => {
	const { open, lock } = await intruded();
	await lock();
	expect((await login({ password: "correct horse battery" })).status).toBe(401);
	expect(await open()).toMatchObject({ devices: 0, password: false, passkeys: [], notifications: 0 });
});

test("[SE268] locking removes who was paired in Telegram, and names who only the configuration can remove", async () => {
	const { removed, lock } = await intruded();
	expect(Object(await (await lock()).json()).closed).toMatchObject({ telegram: ["Mallory"], telegramFixed: ["Owner"] });
	expect(removed).toEqual([7]);
});

test("[SE269] locking replaces the access token, and the session that asked goes on with its socket", async () => {
	const { mine, lock } = await intruded();
	const kept = await bed.connect({ cookie: mine, origin: bed.url });
	await lock();
	expect((await bed.api("/api/conversations")).status).toBe(401);
	expect(await status(mine)).toBe(200);
	kept.send({ type: "ping" });
	await kept.next("pong");
	// Also after the token file was looked at again.
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
