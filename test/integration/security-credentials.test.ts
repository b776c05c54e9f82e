import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, type TestBrowser } from "../support/browser.ts";
import { createWebBed, type WebBed } from "./ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const post = (path: string, body: unknown, cookie?: string) =>
	fetch(`${bed.url}${path}`, {
		method: "POST",
		headers: { "content-type": "application/json", origin: bed.url, ...(cookie === undefined ? {} : { cookie }) },
		body: JSON.stringify(body),
	});
const logIn = async (body: unknown = { token: bed.token }) =>
	String((await post("/api/login", body)).headers.get("set-cookie")).split(";")[0] ?? "";
const status = async (cookie: string) => (await fetch(`${bed.url}/api/conversations`, { headers: { cookie } })).status;
const methods = async () => (await fetch(`${bed.url}/api/login-methods`)).json();

describe("password", () => {
	const password = "correct horse battery";

	test("[SE32] a password can be set, used and removed; it is kept only as a slow hash", async () => {
		expect(await methods()).toEqual({ token: true, password: false, passkey: false });
		expect((await post("/api/login", { password })).status).toBe(401);
		const mine = await logIn();
		expect((await post("/api/password", { password }, mine)).status).toBe(204);
		expect(await methods()).toMatchObject({ password: true });
		expect(await status(await logIn({ password }))).toBe(200);
		expect((await post("/api/login", { password: `${password}!` })).status).toBe(401);
		expect(JSON.stringify(bed.rows("SELECT * FROM settings"))).not.toContain("horse");
		expect((await bed.api("/api/password", { method: "DELETE" })).status).toBe(204);
		expect((await post("/api/login", { password })).status).toBe(401);
	});

	test("[SE32] setting or removing one logs every other device out", async () => {
		const [mine, other] = [await logIn(), await logIn()];
		await post("/api/password", { password }, mine);
		expect([await status(mine), await status(other)]).toEqual([200, 401]);
	});

	test("[SE32] a password can be guessed, so above the limit it is not even compared; the token still is", async () => {
		await post("/api/password", { password }, await logIn());
		for (let i = 0; i < 5; i += 1) await post("/api/login", { token: "wrong" });
		expect((await post("/api/login", { password })).status).toBe(429);
		expect((await post("/api/login", { token: bed.token })).status).toBe(204);
	});

	test("[SE32] a short password is refused", async () => {
		expect((await post("/api/password", { password: "short" }, await logIn())).status).toBe(400);
		expect(await methods()).toMatchObject({ password: false });
	});
});

describe("passkeys, in a real browser", () => {
	let browser: TestBrowser;
	beforeEach(async () => {
		browser = await launchBrowser();
		mkdirSync(join(bed.home, "page"), { recursive: true });
		writeFileSync(join(bed.home, "page/index.html"), "<!doctype html><title>Rightseat</title>");
	});
	afterEach(() => browser.close());

	test("[SE33] a passkey is registered while logged in, logs in later, and only answers a fresh challenge", async () => {
		const url = `http://localhost:${bed.port}`;
		const { page } = await browser.open(url);
		const devtools = await page.context().newCDPSession(page);
		await devtools.send("WebAuthn.enable");
		await devtools.send("WebAuthn.addVirtualAuthenticator", {
			options: {
				protocol: "ctap2",
				transport: "internal",
				hasResidentKey: true,
				hasUserVerification: true,
				isUserVerified: true,
				automaticPresenceSimulation: true,
			},
		});
		const statuses = await page.evaluate(async (token) => {
			const send = (path: string, body: unknown) =>
				fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
			const early = (await send("/api/login/passkey/options", {})).status;
			await send("/api/login", { token });
			const creation = PublicKeyCredential.parseCreationOptionsFromJSON(await (await send("/api/passkeys/options", {})).json());
			const made = Object(await navigator.credentials.create({ publicKey: creation }));
			const registered = (await send("/api/passkeys", { name: "Laptop", response: made.toJSON() })).status;
			await send("/api/logout", {});
			const out = (await fetch("/api/conversations")).status;
			const request = PublicKeyCredential.parseRequestOptionsFromJSON(await (await send("/api/login/passkey/options", {})).json());
			const proof = Object(await navigator.credentials.get({ publicKey: request })).toJSON();
			const loggedIn = (await send("/api/login/passkey", { response: proof })).status;
			const inside = (await fetch("/api/conversations")).status;
			const replayed = (await send("/api/login/passkey", { response: proof })).status;
			return { early, registered, out, loggedIn, inside, replayed };
		}, bed.token);
		expect(statuses).toEqual({ early: 404, registered: 201, out: 401, loggedIn: 204, inside: 200, replayed: 401 });
		const { passkeys } = Object(await (await bed.api("/api/passkeys")).json());
		expect(passkeys).toMatchObject([{ name: "Laptop", host: "localhost" }]);
		expect((await bed.api(`/api/passkeys/${passkeys[0].id}`, { method: "DELETE" })).status).toBe(204);
		expect(await methods()).toMatchObject({ passkey: false });
		expect(await page.evaluate(() => fetch("/api/conversations").then((response) => response.status))).toBe(401);
	});

	test("[SE33] under a bare address there are no passkeys, and nonsense is not one", async () => {
		expect((await bed.api("/api/passkeys/options", { method: "POST" })).status).toBe(400);
		const response = { id: "a", rawId: "a", type: "public-key", response: { clientDataJSON: "e30", attestationObject: "e30" } };
		const answer = await bed.api("/api/passkeys", {
			method: "POST",
			body: { response },
			headers: { origin: `http://127.0.0.1:${bed.port}` },
		});
		expect(answer.status).toBe(400);
	});
});
