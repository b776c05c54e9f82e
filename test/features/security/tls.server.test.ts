import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { selfSigned } from "../../support/self-signed.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeAll(async () => {
	bed = await createWebBed({ config: { tls: selfSigned() } });
});
afterAll(() => bed.close());

interface Answer {
	status: number;
	headers: Record<string, unknown>;
}
const call = (method: string, path: string, headers: Record<string, string>, body?: string) =>
	new Promise<Answer>((resolve, reject) => {
		const sent = request({ host: "127.0.0.1", port: bed.port, method, path, headers, rejectUnauthorized: false }, (response) => {
			response.resume();
			response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
		});
		sent.on("error", reject);
		sent.end(body);
	});
const upgrade = (headers: Record<string, string>) =>
	new Promise<number>((resolve) => {
		const ws = new WebSocket(`wss://127.0.0.1:${bed.port}/ws`, { headers, rejectUnauthorized: false });
		ws.on("open", () => {
			ws.terminate();
			resolve(101);
		});
		ws.on("unexpected-response", (_request, response) => resolve(response.statusCode ?? 0));
		ws.on("error", () => undefined);
	});

test("[SE3] over TLS the cookie is Secure and bound to its host, and browsers are told to stay with TLS", async () => {
	expect(bed.url).toBe(`https://127.0.0.1:${bed.port}`);
	const json = { "content-type": "application/json" };
	const answer = await call("POST", "/api/login", json, JSON.stringify({ token: bed.token }));
	expect(answer.status).toBe(204);
	expect(String(answer.headers["set-cookie"])).toMatch(new RegExp(`^__Host-rightseat_${bed.port}=[\\w-]{43}; Path=/; .*; Secure$`));
	expect(answer.headers["strict-transport-security"]).toBeDefined();
	const cookie = String(answer.headers["set-cookie"]).split(";")[0] ?? "";
	expect((await call("GET", "/api/conversations", { cookie })).status).toBe(200);
	expect(await upgrade({ cookie, origin: bed.url })).toBe(101);
});

test("[SE34] over TLS only the https origin is ours", async () => {
	const authorization = `Bearer ${bed.token}`;
	expect(await upgrade({ authorization, origin: bed.url })).toBe(101);
	expect(await upgrade({ authorization, origin: bed.url.replace("https", "http") })).toBe(403);
	expect(await upgrade({})).toBe(401);
});
