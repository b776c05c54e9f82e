import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, request } from "node:http";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { launchBrowser, type TestBrowser } from "../../support/browser.ts";
import { addVirtualAuthenticator } from "../../support/virtual-authenticator.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";
import { cookieOf, loginHelpers } from "./login-harness.ts";

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
const logIn = async (body: unknown = { token: bed.token }) => cookieOf(await post("/api/login", body));
const { status } = loginHelpers(() => bed);
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

	test("[SE239] setting or removing one logs every other device out", async () => {
		const [mine, other] = [await logIn(), await logIn()];
		await post("/api/password", { password }, mine);
		expect([await status(mine), await status(other)]).toEqual([200, 401]);
	});

	test("[SE238] a password can be guessed, so above the limit it is not even compared; the token still is", async () => {
		await post("/api/password", { password }, await logIn());
		for (let i = 0; i < 5; i += 1) await post("/api/login", { token: "wrong" });
		expect((await post("/api/login", { password })).status).toBe(429);
		expect((await post("/api/login", { token: bed.token })).status).toBe(204);
	});

	test("[SE240] a short password is refused", async () => {
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
		await addVirtualAuthenticator(page);
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

	test("[SE107] a page on another port of the name cannot use the passkey, whatever its server sends", async () => {
		const thief = createServer((_, response) => response.end("<!doctype html><title>Dev server</title>")).listen(0, "127.0.0.1");
		await once(thief, "listening");
		const address = thief.address();
		const port = typeof address === "object" && address !== null ? address.port : 0;
		try {
			const page = await withPasskey();
			await page.goto(`http://localhost:${port}/`);
			const host = `localhost:${port}`;
			const asked = await raw("/api/login/passkey/options", host, {});
			const proof = await page.evaluate(prove, asked.body);
			expect(JSON.parse(Buffer.from(proof.response.clientDataJSON, "base64url").toString())).toMatchObject({ origin: `http://${host}` });
			for (const name of [host, `localhost:${bed.port}`]) {
				expect((await raw("/api/login/passkey", name, { response: proof }, asked.cookie)).status).toBe(401);
			}
		} finally {
			thief.close();
		}
	});

	test("[SE108] strangers who ask for challenges and fail to log in keep nobody's passkey from working", async () => {
		const page = await withPasskey();
		const asked = await raw("/api/login/passkey/options", `localhost:${bed.port}`, {});
		const proof = await page.evaluate(prove, asked.body);
		for (let i = 0; i < 150; i += 1) await raw("/api/login/passkey/options", `localhost:${bed.port}`, {});
		for (let i = 0; i < 6; i += 1) await post("/api/login", { token: "wrong" });
		const send = (cookie?: string) => raw("/api/login/passkey", `localhost:${bed.port}`, { response: proof }, cookie);
		expect((await send()).status).toBe(429);
		expect((await send(asked.cookie)).status).toBe(204);
		expect((await send(asked.cookie)).status).toBe(429);
	});

	/** A tab with a passkey for our page, logged out again. */
	async function withPasskey(): Promise<Page> {
		const { page } = await browser.open(`http://localhost:${bed.port}`);
		await addVirtualAuthenticator(page);
		expect(await page.evaluate(makePasskey, bed.token)).toBe(201);
		return page;
	}
	/** A request as a program makes it that may send any Host. */
	function raw(path: string, host: string, body: unknown, cookie = ""): Promise<{ status: number; body: string; cookie: string }> {
		return new Promise((resolve, reject) => {
			const headers = { host, cookie, "content-type": "application/json" };
			const sent = request({ host: "127.0.0.1", port: bed.port, path, method: "POST", headers }, (response) => {
				let text = "";
				response.on("data", (chunk: Buffer) => {
					text += chunk.toString();
				});
				response.on("end", () => {
					const made = response.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
					resolve({ status: response.statusCode ?? 0, body: text, cookie: made });
				});
			});
			sent.on("error", reject);
			sent.end(JSON.stringify(body));
		});
	}

	test("[SE241] under a bare address there are no passkeys, and nonsense is not one", async () => {
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

/** In the browser: logs in, makes a passkey, logs out; the status of the registration. */
async function makePasskey(token: string): Promise<number> {
	const send = (path: string, body: unknown) =>
		fetch(path, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
	await send("/api/login", { token });
	const creation = PublicKeyCredential.parseCreationOptionsFromJSON(await (await send("/api/passkeys/options", {})).json());
	const made = Object(await navigator.credentials.create({ publicKey: creation }));
	const { status } = await send("/api/passkeys", { name: "Laptop", response: made.toJSON() });
	await send("/api/logout", {});
	return status;
}

/** In the browser: the passkey's answer to a challenge that somebody fetched. */
async function prove(options: string) {
	const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(JSON.parse(options));
	return Object(await navigator.credentials.get({ publicKey })).toJSON();
}
