import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createFakeClock, type FakeClock } from "../../../../../../test/support/fake-clock.ts";
import { randomIds } from "../../../core/kernel/ids.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { openStore } from "../../../store/open-store.ts";
import { createAccessToken, TOKEN_POLL_MS } from "./access-token.ts";
import { cookieValues, setCookie } from "./cookies.ts";
import { createLoginCodes, LOGIN_CODE_TTL_MS } from "./login-codes.ts";
import { createLoginLimiter, LOGIN_FAILURES_PER_MINUTE } from "./login-limiter.ts";
import { createPassword } from "./password.ts";
import { createWebSessions, SESSION_ABSOLUTE_MS, SESSION_IDLE_MS } from "./web-sessions.ts";

let clock: FakeClock;
beforeEach(() => {
	clock = createFakeClock();
});

describe("access token", () => {
	let home: string;
	beforeEach(() => {
		home = mkdtempSync(join(tmpdir(), "rightseat-token-"));
	});
	afterEach(() => rmSync(home, { recursive: true }));
	const open = () => createAccessToken({ home, clock, logger: silentLogger });
	const file = () => join(home, "token");

	test("[SE28] the token is generated once, long, and readable by its owner only", () => {
		const first = open();
		const text = readFileSync(file(), "utf8").trim();
		expect(text).toMatch(/^[\w-]{43}$/);
		expect(statSync(file()).mode & 0o777).toBe(0o600);
		expect(first.matches(text)).toBe(true);
		expect(first.matches(`${text}x`)).toBe(false);
		expect(first.matches("")).toBe(false);
		const second = open();
		expect(second.fingerprint()).toBe(first.fingerprint());
		first.close();
		second.close();
	});

	test("[SE28] a token file that others can read is closed to them", () => {
		writeFileSync(file(), "a-token-that-is-long-enough-to-be-strong\n");
		chmodSync(file(), 0o644);
		open().close();
		expect(statSync(file()).mode & 0o777).toBe(0o600);
	});

	test("[SE8] a changed file is noticed within a second, an empty one is not a change", async () => {
		const token = open();
		let changes = 0;
		token.onChange(() => {
			changes += 1;
		});
		writeFileSync(file(), "");
		await clock.advance(TOKEN_POLL_MS);
		expect(changes).toBe(0);
		writeFileSync(file(), "another-token-another-token-another\n");
		await clock.advance(TOKEN_POLL_MS);
		expect(changes).toBe(1);
		expect(token.matches("another-token-another-token-another")).toBe(true);
		token.close();
		expect(clock.pending()).toBe(0);
	});

	test("[SE120] a token file that cannot be read for a while, and a listener that fails, stop nothing", async () => {
		const token = open();
		const heard: string[] = [];
		token.onChange(() => {
			throw new Error("the disk takes no writes");
		});
		token.onChange(() => void heard.push("second"));
		rmSync(file());
		mkdirSync(file());
		await clock.advance(TOKEN_POLL_MS * 3);
		expect(heard).toEqual([]);
		rmdirSync(file());
		writeFileSync(file(), "another-token-another-token-another\n");
		await clock.advance(TOKEN_POLL_MS);
		expect(heard).toEqual(["second"]);
		expect(token.matches("another-token-another-token-another")).toBe(true);
		token.close();
	});

	test("[SE8] a changed file counts for the very next comparison", () => {
		const token = open();
		const before = readFileSync(file(), "utf8").trim();
		writeFileSync(file(), "another-token-another-token-another\n");
		expect(token.matches(before)).toBe(false);
		token.close();
	});
});

describe("login codes", () => {
	test("[SE5] a code works once", () => {
		const codes = createLoginCodes(clock);
		const { code } = codes.create();
		expect([codes.take(code), codes.take(code)]).toEqual([true, false]);
	});

	test("[SE5] a code ends after ten minutes", async () => {
		const codes = createLoginCodes(clock);
		const { code } = codes.create();
		const late = codes.create();
		await clock.advance(LOGIN_CODE_TTL_MS - 1);
		expect(codes.take(code)).toBe(true);
		await clock.advance(1);
		expect(codes.take(late.code)).toBe(false);
	});

	test("[SE104] whoever keeps a code for a browser is told once when it is used, runs out or is withdrawn", async () => {
		const codes = createLoginCodes(clock);
		const spent: string[] = [];
		const make = (name: string) => codes.create({ by: name, onSpent: () => void spent.push(name) }).code;
		codes.take(make("used"));
		make("old");
		await clock.advance(LOGIN_CODE_TTL_MS);
		make("of a session");
		codes.removeOf("of a session");
		make("cleared");
		codes.clear();
		expect(spent).toEqual(["used", "old", "of a session", "cleared"]);
		expect(clock.pending()).toBe(0);
	});

	test("[SE105] a code ends with the session that made it, and no other does", () => {
		const codes = createLoginCodes(clock);
		const [mine, other, printed] = [codes.create({ by: "a" }), codes.create({ by: "b" }), codes.create()];
		codes.removeOf("a");
		expect([mine, other, printed].map(({ code }) => codes.take(code))).toEqual([false, true, true]);
	});

	test("[SE222] only so many codes are open at once; the oldest gives way", () => {
		const codes = createLoginCodes(clock);
		const all = Array.from({ length: 21 }, () => codes.create().code);
		expect(all.map((code) => codes.take(code)).filter(Boolean)).toHaveLength(20);
	});
});

describe("login limiter", () => {
	test("[SE4] an address may fail five times a minute", async () => {
		const limiter = createLoginLimiter(clock);
		for (let i = 0; i < LOGIN_FAILURES_PER_MINUTE; i += 1) {
			expect(limiter.retryAfter("10.0.0.1", "login")).toBe(0);
			limiter.fail("10.0.0.1", "login");
		}
		expect(limiter.retryAfter("10.0.0.1", "login")).toBe(60);
		expect(limiter.retryAfter("::ffff:10.0.0.1", "login")).toBe(60);
		expect(limiter.retryAfter("10.0.0.2", "login")).toBe(0);
		await clock.advance(60_000);
		expect(limiter.retryAfter("10.0.0.1", "login")).toBe(0);
	});

	test("[SE261] a whole IPv6 /64 is one address", () => {
		const limiter = createLoginLimiter(clock);
		for (let i = 0; i < 5; i += 1) limiter.fail(`2001:db8:0:1::${i + 1}`, "login");
		expect(limiter.retryAfter("2001:db8::1:ffff:ffff:ffff:ffff", "login")).toBeGreaterThan(0);
		expect(limiter.retryAfter("2001:db8:0:2::1", "login")).toBe(0);
	});

	test("[SE221] failures from everywhere slow down failed answers, and only so many wait", async () => {
		const limiter = createLoginLimiter(clock);
		expect(await limiter.slowDown()).toBe(true);
		for (let i = 0; i < 150; i += 1) limiter.fail(`10.0.1.${i}`, "login");
		const waits = Array.from({ length: 64 }, () => limiter.slowDown());
		expect(await limiter.slowDown()).toBe(false);
		await clock.advance(1_000);
		expect(await Promise.all(waits)).toEqual(Array.from({ length: 64 }, () => true));
	});

	test("[SE31] the list of addresses is bounded", () => {
		const limiter = createLoginLimiter(clock);
		for (let i = 0; i < 5; i += 1) limiter.fail("192.0.2.1", "login");
		for (let i = 0; i < 10_000; i += 1) limiter.fail(`10.${i >> 16}.${(i >> 8) & 255}.${i & 255}`, "login");
		expect(limiter.retryAfter("192.0.2.1", "login")).toBe(0);
	});
});

test("[SE3] a cookie is HttpOnly, SameSite=Strict, for the whole host, and Secure under TLS", () => {
	expect(setCookie({ name: "rightseat_7417", value: "x", maxAgeSeconds: 5, secure: false })).toBe(
		"rightseat_7417=x; Path=/; HttpOnly; SameSite=Strict; Max-Age=5",
	);
	expect(setCookie({ name: "__Host-rightseat_7417", value: "x", maxAgeSeconds: 5, secure: true })).toContain("; Secure");
});

test("[SE3] only cookies with our port's name are looked at, and only a few of them", () => {
	expect(cookieValues("a=1; rightseat_7417=x; rightseat_7418=y; rightseat_7417=z", "rightseat_7417")).toEqual(["x", "z"]);
	expect(cookieValues(Array.from({ length: 50 }, () => "n=1").join("; "), "n")).toHaveLength(4);
	expect(cookieValues(undefined, "n")).toEqual([]);
});

test("[SE10] a session ends after 14 days without use, and after 90 days in any case", async () => {
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const sessions = createWebSessions({ sql, clock, ids: randomIds, logger: silentLogger, tokenFingerprint: () => "t" });
	const { secret, session } = sessions.create({ address: "127.0.0.1", userAgent: "x", method: "token" });
	await clock.advance(SESSION_IDLE_MS - 1);
	expect(sessions.find(secret)?.id).toBe(session.id);
	await clock.advance(SESSION_IDLE_MS);
	expect(sessions.find(secret)).toBeUndefined();
	expect(sessions.alive(session.id)).toBe(false);
	const second = sessions.create({ address: "127.0.0.1", userAgent: "x", method: "token" });
	for (let spent = 0; spent < SESSION_ABSOLUTE_MS; spent += SESSION_IDLE_MS / 2) {
		expect(sessions.find(second.secret)).toBeDefined();
		await clock.advance(SESSION_IDLE_MS / 2);
	}
	expect(sessions.find(second.secret)).toBeUndefined();
});

test("[SE31] only so many sessions are kept; the longest unused gives way and its listeners hear of it", () => {
	const { sql } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const sessions = createWebSessions({ sql, clock, ids: randomIds, logger: silentLogger, tokenFingerprint: () => "t" });
	const ended: string[] = [];
	sessions.onEnd((id) => void ended.push(id));
	for (let i = 0; i < 120; i += 1) sessions.create({ address: "127.0.0.1", userAgent: "x", method: "token" });
	expect(sessions.list()).toHaveLength(100);
	expect(ended).toHaveLength(20);
});

test("[SE238] only a few passwords are compared at once", async () => {
	const { store } = openStore({ path: ":memory:", clock, logger: silentLogger, ids: randomIds });
	const password = createPassword(store.settings);
	await password.set("correct horse battery");
	const comparing = [password.matches("correct horse battery"), password.matches("wrong horse battery")];
	await expect(password.matches("one more")).rejects.toMatchObject({ code: "rate-limited" });
	expect(await Promise.all(comparing)).toEqual([true, false]);
	expect(await password.matches("correct horse battery")).toBe(true);
});
