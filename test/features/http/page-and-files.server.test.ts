import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { MAX_ATTACHMENT_BYTES } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createMemoryLedger } from "../../../packages/server/src/core/kernel/memory-ledger.ts";
import { MAX_UNUSED_ATTACHMENTS } from "../../../packages/server/src/services/attachments/attachments.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

function buildPage() {
	const page = join(bed.home, "page");
	mkdirSync(join(page, "assets"), { recursive: true });
	writeFileSync(join(page, "index.html"), "<!doctype html><title>Rightseat</title>");
	writeFileSync(join(page, "sw.js"), "// worker");
	writeFileSync(join(page, "assets/app-1a2b3c.js"), "console.log(1)");
	writeFileSync(join(page, "assets/app-1a2b3c.js.gz"), gzipSync("console.log(1)"));
	symlinkSync(join(bed.home, "token"), join(page, "leak.txt"));
}
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${bed.url}${path}`, { headers });

test("[HT17] before the page is built there is a note instead", async () => {
	const response = await get("/");
	expect(response.status).toBe(503);
	expect(await response.text()).toContain("npm start");
});

test("[HT16] the page answers under its own addresses; hashed files may be kept for ever, the rest is asked for again", async () => {
	buildPage();
	for (const path of ["/", "/c/some-id", "/settings"]) {
		const response = await get(path);
		expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
		expect(response.headers.get("cache-control")).toBe("no-cache");
	}
	const script = await get("/assets/app-1a2b3c.js");
	expect(script.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
	expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
	expect((await get("/sw.js")).headers.get("cache-control")).toBe("no-cache");
	expect((await get("/assets/none.js")).status).toBe(404);
	const again = await get("/", { "if-none-match": String((await get("/")).headers.get("etag")) });
	expect(again.status).toBe(304);
});

test("[HT25] whoever is logged in by cookie gets the page with a box to write in; a token decides nothing", async () => {
	buildPage();
	writeFileSync(join(bed.home, "page/signed-in.html"), "<!doctype html><textarea></textarea>");
	const login = await fetch(`${bed.url}/api/login`, {
		method: "POST",
		headers: { "content-type": "application/json" },
		body: JSON.stringify({ token: bed.token }),
	});
	const cookie = String(login.headers.get("set-cookie")).split(";", 1)[0] ?? "";
	const page = async (path: string, headers: Record<string, string> = {}) => (await get(path, headers)).text();
	for (const path of ["/", "/c/some-id", "/index.html", "/signed-in.html"]) {
		expect(await page(path)).not.toContain("textarea");
		expect(await page(path, { cookie: "rightseat=wrong" })).not.toContain("textarea");
		expect(await page(path, { authorization: `Bearer ${bed.token}` })).not.toContain("textarea");
		expect(await page(path, { cookie })).toContain("textarea");
	}
	expect((await get("/")).headers.get("vary")).toContain("Cookie");
});

test("[HT223] a compressed twin is served to whoever takes it", async () => {
	buildPage();
	const packed = await get("/assets/app-1a2b3c.js", { "accept-encoding": "gzip" });
	expect(packed.headers.get("content-encoding")).toBe("gzip");
	expect(await packed.text()).toBe("console.log(1)");
	utimesSync(join(bed.home, "page/assets/app-1a2b3c.js.gz"), 1, 1);
	expect((await get("/assets/app-1a2b3c.js", { "accept-encoding": "gzip" })).headers.get("content-encoding")).toBeNull();
	const plain = await get("/assets/app-1a2b3c.js", { "accept-encoding": "identity" });
	expect(plain.headers.get("content-encoding")).toBeNull();
});

test.each(["/../token", "/..%2ftoken", "/%2e%2e/token", "/assets/../../token", "/leak.txt", "//etc/passwd", "/assets/%00"])(
	"[HT224] no path leads out of the page's folder: %s",
	async (path) => {
		buildPage();
		const response = await fetch(`${bed.url}${path}`);
		expect(await response.text()).not.toContain(bed.token);
	},
);

const upload = (body: BodyInit, query = "", headers: Record<string, string> = {}) =>
	fetch(`${bed.url}/api/attachments${query}`, { method: "POST", body, headers: { authorization: `Bearer ${bed.token}`, ...headers } });
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

test("[HT13] an upload is kept in a directory with a random name, for its owner only, and typed by content", async () => {
	const response = await upload(png, "?name=shot.html", { "content-type": "text/html" });
	expect(response.status).toBe(201);
	const { attachment } = Object(await response.json());
	expect(attachment).toEqual({ id: expect.any(String), name: "shot.html", mimeType: "image/png", size: png.length });
	const [name] = readdirSync(join(bed.home, "attachments"));
	expect(name).toBe(attachment.id);
	const directory = join(bed.home, "attachments", String(name));
	expect(statSync(directory).mode & 0o777).toBe(0o700);
	expect(readdirSync(directory)).toEqual(["shot.html.png"]);
	expect(statSync(join(directory, "shot.html.png")).mode & 0o777).toBe(0o600);
	const form = new FormData();
	form.append("file", new Blob(["hello"]), "../../a.txt");
	expect((await upload(form)).status).toBe(400);
	const climbing = await upload("hello", `?name=${encodeURIComponent("../../a.txt")}`);
	expect(await climbing.json()).toMatchObject({ attachment: { name: ".._.._a.txt", mimeType: "text/plain", size: 5 } });
});

test("[HT222] an uploaded file can go with a prompt", async () => {
	const { attachment } = Object(await (await upload(png, "?name=a.png")).json());
	const id = await bed.begin();
	const socket = await bed.connect();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "look", attachments: [attachment.id] } });
	expect((await socket.next("copilot:user_message")).data).toMatchObject({ metadata: { attachments: [attachment] } });
	const turn = await bed.runtime.nextTurn();
	expect(turn.input.attachments).toMatchObject([{ name: "a.png", mimeType: "image/png" }]);
	expect(readFileSync(String(turn.input.attachments?.[0]?.path))).toEqual(Buffer.from(png));
});

test("[QA125] in a conversation that asks, the agent reads the file that came with the prompt without a question, and no other", async () => {
	const { attachment } = Object(await (await upload("hello", "?name=a.txt")).json());
	const id = await bed.begin();
	await bed.conversations.update(id, { permissions: "ask" });
	const socket = await bed.connect();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "look", attachments: [attachment.id] } });
	const turn = await bed.runtime.nextTurn();
	const read = (path: string) => turn.options.permit({ kind: "read", summary: `Read ${path}`, detail: path }, turn.signal);
	expect(await read(String(turn.input.attachments?.[0]?.path))).toEqual({ kind: "approve-once" });
	const token = join(bed.home, "token");
	const asked = read(token);
	const request = await socket.next("copilot:permission_request");
	expect(request.data).toMatchObject({ kind: "read", detail: token });
	bed.conversations.decide({ conversationId: id, requestId: String(request.data.requestId), decision: "reject", by: "web" });
	expect(await asked).toMatchObject({ kind: "reject" });
});

test("[HT14] an upload over 10 MB, an empty one and too many waiting ones are refused", async () => {
	expect((await upload(new Uint8Array(MAX_ATTACHMENT_BYTES + 1))).status).toBe(413);
	expect((await upload(new Uint8Array(MAX_ATTACHMENT_BYTES * 2))).status).toBe(413);
	expect((await upload("")).status).toBe(400);
	expect(readdirSync(join(bed.home, "attachments"))).toEqual([]);
	for (let i = 0; i < MAX_UNUSED_ATTACHMENTS; i += 1) expect((await upload("x")).status).toBe(201);
	expect((await upload("x")).status).toBe(429);
});

test("[SE21] an attachment is served so that it cannot run: images in place, everything else as a download", async () => {
	const look = async (content: BodyInit, name: string) => {
		const { attachment } = Object(await (await upload(content, `?name=${name}`, { "content-type": "application/octet-stream" })).json());
		return bed.api(`/api/attachments/${attachment.id}`);
	};
	for (const [content, name, type, disposition] of [
		[png, "a.png", "image/png", "inline"],
		["<svg onload=alert(1)>", "a.svg", "application/octet-stream", "attachment"],
		["<script>alert(1)</script>", "a.html", "application/octet-stream", "attachment"],
		["<script>alert(1)</script>", "a.png", "application/octet-stream", "attachment"],
	] as const) {
		const { headers } = await look(content, name);
		expect(headers.get("content-type")).toBe(type);
		expect(headers.get("content-disposition")).toMatch(new RegExp(`^${disposition};`));
		expect(headers.get("x-content-type-options")).toBe("nosniff");
		expect(headers.get("content-security-policy")).toContain("sandbox");
	}
});

test("[WS231] an upload that finds no memory is refused before it is read, and the next one fits again", async () => {
	const memory = createMemoryLedger(1_000);
	const small = await createWebBed({ deps: { memory } });
	const upload = (bytes: number) =>
		fetch(`${small.url}/api/attachments?name=a.txt`, {
			method: "POST",
			body: "x".repeat(bytes),
			headers: { authorization: `Bearer ${small.token}`, "content-type": "text/plain" },
		});
	const refused = await upload(2_000);
	expect([refused.status, refused.headers.get("retry-after"), await refused.json()]).toMatchObject([
		...[429, "2"],
		{ error: { code: "rate-limited", params: { reason: "memory" } } },
	]);
	for (let time = 0; time < 2; time += 1) {
		expect((await upload(900)).status).toBe(201);
		await expect.poll(() => memory.usage().accounts.uploads).toBe(0);
	}
	await small.close();
});
test("[HT200] uploads that were refused as too large leave room for the next ones", async () => {
	for (let attempt = 0; attempt < 6; attempt += 1) {
		const refused = await upload(new Uint8Array(MAX_ATTACHMENT_BYTES + 1), "?name=big.bin");
		expect([refused.status, (await refused.json()).error.code]).toEqual([413, "too-large"]);
	}
	expect((await upload(png, "?name=small.png")).status).toBe(201);
});
