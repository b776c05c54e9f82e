import { request } from "node:https";
import { afterAll, beforeAll, describe, expect, type TestContext, test, vi } from "vitest";
import { WebSocket } from "ws";
import { checkPublicAddress } from "../../../packages/server/src/app/doctor/public.ts";
import { findProxy } from "../../../scripts/lib/proxies.mjs";
import { type ProxyName, startDocumentedProxy } from "../../support/documented-proxy.ts";
import { freePort } from "../../support/free-port.ts";
import { createSoftwarePasskey } from "../../support/software-passkey.ts";
import { createWebBed } from "../../support/ws-harness.ts";

const HOST = "localhost";

interface Answer {
	status: number;
	cookie: string;
	hsts: string | undefined;
	body: string;
}

/** Rightseat behind the proxy, and a browser's requests to it. */
async function behind(name: ProxyName) {
	const port = await freePort();
	const origin = `https://${HOST}:${port}`;
	const server = await createWebBed({ config: { behindProxy: true, publicUrl: origin } });
	const proxy = await startDocumentedProxy(name, { port, host: HOST, serverPort: server.port });

	const call = (method: string, path: string, more: { body?: unknown; headers?: Record<string, string> } = {}) =>
		new Promise<Answer>((resolve, reject) => {
			const headers = { host: `${HOST}:${port}`, origin, "content-type": "application/json", ...more.headers };
			const options = { host: HOST, port, method, path, headers, rejectUnauthorized: false };
			const sent = request(options, (response) => {
				let body = "";
				response.setEncoding("utf8");
				response.on("data", (text: string) => {
					body += text;
				});
				response.on("end", () => {
					const { "set-cookie": cookies = [], "strict-transport-security": hsts } = response.headers;
					resolve({ status: response.statusCode ?? 0, cookie: cookies.join("\n"), hsts, body });
				});
			});
			sent.on("error", reject);
			sent.end(more.body === undefined ? undefined : JSON.stringify(more.body));
		});
	const socket = (headers: Record<string, string>) =>
		new Promise<number>((resolve, reject) => {
			const ws = new WebSocket(`wss://${HOST}:${port}/ws`, { headers: { origin, ...headers }, rejectUnauthorized: false });
			ws.on("open", () => ws.send(JSON.stringify({ type: "ping" })));
			ws.on("message", (data: Buffer) => {
				if (!data.toString("utf8").includes("pong")) return;
				ws.terminate();
				resolve(101);
			});
			ws.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
			ws.on("error", reject);
		});
	const close = async () => {
		await proxy.close();
		await server.close();
	};
	try {
		await vi.waitUntil(async () => (await call("GET", "/healthz").catch(() => undefined))?.status === 200, { timeout: 20_000 });
	} catch (error) {
		await close();
		throw error;
	}
	return { token: server.token, origin, call, socket, close };
}

const nameAndValue = (cookie: string) => cookie.split(";")[0] ?? "";
const challengeIn = (answer: Answer) => String(Object(JSON.parse(answer.body)).challenge);

describe.each<ProxyName>(["nginx", "caddy"])("behind %s as it is documented", (name) => {
	let world: Awaited<ReturnType<typeof behind>> | undefined;
	beforeAll(async () => {
		if (findProxy(name) !== undefined) world = await behind(name);
	});
	afterAll(() => world?.close());

	/** Says so loudly where the proxy cannot be had; `npm test` fetches it where it can. */
	function reach({ skip }: Pick<TestContext, "skip">) {
		if (world === undefined) return skip(`${name} is not on this machine`);
		return world;
	}

	test("[SE153] people log in, their cookie is Secure, their page stays with TLS and its socket opens", async (context) => {
		const { token, call, socket } = reach(context);
		const login = await call("POST", "/api/login", { body: { token } });
		expect(login.status).toBe(204);
		expect(login.cookie).toMatch(/^__Host-rightseat_\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=\d+; Secure$/);
		expect(login.hsts).toBeDefined();
		const cookie = nameAndValue(login.cookie);
		expect((await call("GET", "/api/conversations", { headers: { cookie } })).status).toBe(200);
		expect(await socket({ cookie })).toBe(101);
		expect(await socket({ cookie, origin: "https://evil.example" })).toBe(403);
		expect(await socket({})).toBe(401);
	});

	test("[SE153] a passkey is made and used under the public name", async (context) => {
		const { token, origin, call } = reach(context);
		const passkey = createSoftwarePasskey(origin);
		const session = nameAndValue((await call("POST", "/api/login", { body: { token } })).cookie);
		const creation = await call("POST", "/api/passkeys/options", { body: {}, headers: { cookie: session } });
		const made = { name: "Phone", response: passkey.create(challengeIn(creation)) };
		const cookies = `${session}; ${nameAndValue(creation.cookie)}`;
		expect((await call("POST", "/api/passkeys", { body: made, headers: { cookie: cookies } })).status).toBe(201);
		const options = await call("POST", "/api/login/passkey/options", { body: {} });
		const proof = { response: passkey.get(challengeIn(options)) };
		const login = await call("POST", "/api/login/passkey", { body: proof, headers: { cookie: nameAndValue(options.cookie) } });
		expect([login.status, login.cookie]).toEqual([204, expect.stringContaining("Secure")]);
	});

	test("[SE154] the doctor finds nothing missing", async (context) => {
		const { origin } = reach(context);
		expect(await checkPublicAddress({ publicUrl: origin, behindProxy: true })).toMatchObject({ level: "ok" });
	});

	test("[SE153] failed logins are limited by the real address, whatever a client claims, and the owner still gets in", async (context) => {
		const { token, call } = reach(context);
		const statuses: number[] = [];
		for (let i = 0; i < 7; i += 1) {
			const headers = { "x-forwarded-for": `198.51.100.${i}` };
			statuses.push((await call("POST", "/api/login", { body: { password: `guess ${i}` }, headers })).status);
		}
		expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
		expect((await call("POST", "/api/login", { body: { token } })).status).toBe(204);
		const { body } = await call("GET", "/api/audit", { headers: { authorization: `Bearer ${token}` } });
		expect(body).not.toContain("198.51.100");
		expect(body).toMatch(/"source":"(127\.0\.0\.1|::1)"/);
	});
});
