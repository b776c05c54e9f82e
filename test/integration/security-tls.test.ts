import { createSign, generateKeyPairSync } from "node:crypto";
import { request } from "node:https";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { createWebBed, type WebBed } from "./ws-harness.ts";

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

test("[SE34] over TLS the cookie is Secure and bound to its host, and browsers are told to stay with TLS", async () => {
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

/** A certificate for an hour, made by hand: no tool of the machine is needed. */
function selfSigned(): { cert: string; key: string } {
	const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
	const algorithm = der(0x30, oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02));
	const name = der(0x30, der(0x31, der(0x30, oid(0x55, 0x04, 0x03), der(0x0c, Buffer.from("rightseat test")))));
	const time = (at: number) => der(0x17, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]/g, "").slice(2, 14)}Z`));
	const validity = der(0x30, time(Date.now() - 3_600_000), time(Date.now() + 3_600_000));
	const content = der(
		0x30,
		der(0xa0, der(0x02, Buffer.from([2]))),
		der(0x02, Buffer.from([1])),
		algorithm,
		name,
		validity,
		name,
		publicKey.export({ type: "spki", format: "der" }),
	);
	const signature = createSign("sha256").update(content).sign(privateKey);
	const whole = der(0x30, content, algorithm, der(0x03, Buffer.concat([Buffer.from([0]), signature])));
	const lines =
		whole
			.toString("base64")
			.match(/.{1,64}/g)
			?.join("\n") ?? "";
	return {
		cert: `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`,
		key: String(privateKey.export({ type: "pkcs8", format: "pem" })),
	};
}

const oid = (...bytes: number[]) => der(0x06, Buffer.from(bytes));

function der(tag: number, ...parts: Buffer[]): Buffer {
	const content = Buffer.concat(parts);
	const length = content.length;
	const head = length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from(head), content]);
}
