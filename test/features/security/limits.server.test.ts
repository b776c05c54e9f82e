import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { join } from "node:path";
import { deflateRawSync } from "node:zlib";
import { MAX_FRAME_BYTES } from "@rightseat/protocol/limits";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { MAX_UNKNOWN_SOCKETS } from "../../../packages/server/src/channels/web/http/stranger-limit.ts";
import { closeCode, frame, lines, rawRequest, rawWebSocket, upgradeLines } from "../../support/raw-http.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

const MB = 1024 * 1024;
const host = () => `Host: 127.0.0.1:${bed.port}`;

/** How much the process grew while this ran. */
async function growth(work: () => Promise<void>): Promise<number> {
	const before = process.memoryUsage().rss;
	await work();
	return process.memoryUsage().rss - before;
}

test("[SE22] a frame that is announced as huge is refused before its bytes arrive", async () => {
	const grown = await growth(async () => {
		const socket = await rawWebSocket(bed.port, bed.token);
		const head = Buffer.from([0x81, 0x80 | 127, 0, 0, 0, 0, 0x06, 0x50, 0, 0, 0, 0, 0, 0]);
		socket.write(head);
		expect(await closeCode(socket)).toBe(1009);
	});
	expect(grown).toBeLessThan(30 * MB);
});

test("[WS27] one byte over the limit ends the connection, the limit itself does not", async () => {
	const fitting = await rawWebSocket(bed.port, bed.token);
	fitting.write(frame(Buffer.alloc(MAX_FRAME_BYTES, 0x20)));
	const answer = await new Promise<Buffer>((resolve) => fitting.once("data", resolve));
	expect(answer.toString()).toContain("bad-json");
	fitting.destroy();
	const over = await rawWebSocket(bed.port, bed.token);
	over.write(frame(Buffer.alloc(MAX_FRAME_BYTES + 1, 0x20)));
	expect(await closeCode(over)).toBe(1009);
});

test("[SE22] a message in very many fragments ends the connection", async () => {
	const socket = await rawWebSocket(bed.port, bed.token);
	const grown = await growth(async () => {
		socket.write(frame(Buffer.from("x"), { final: false }));
		const piece = frame(Buffer.alloc(0), { opcode: 0, final: false });
		socket.write(Buffer.concat(Array.from({ length: 100_000 }, () => piece)));
		await closeCode(socket);
	});
	expect(socket.destroyed).toBe(true);
	expect(grown).toBeLessThan(50 * MB);
});

test("[SE22] compression is never agreed on, and a compressed frame ends the connection", async () => {
	const offered = upgradeLines(bed.port, `Authorization: Bearer ${bed.token}`, "Sec-WebSocket-Extensions: permessage-deflate");
	const answer = await rawRequest(bed.port, lines(...offered));
	expect(answer.status).toBe(101);
	expect(answer.head.toLowerCase()).not.toContain("deflate");
	const socket = await rawWebSocket(bed.port, bed.token);
	socket.write(frame(deflateRawSync(Buffer.alloc(90 * MB)), { rsv: 0x40 }));
	expect(await closeCode(socket)).toBe(1002);
});

test("[SE22] any bytes as frames: the server answers or ends the connection, and serves the others", async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 5 }), async (pieces) => {
			const socket = await rawWebSocket(bed.port, bed.token);
			for (const piece of pieces) socket.write(piece);
			socket.destroy();
		}),
		{ numRuns: 60 },
	);
	const json = fc.json({ maxDepth: 8 }).filter((text) => text.length < 50_000);
	await fc.assert(
		fc.asyncProperty(fc.array(json, { maxLength: 5, minLength: 1 }), async (texts) => {
			const socket = await rawWebSocket(bed.port, bed.token);
			for (const text of texts) socket.write(frame(Buffer.from(text)));
			await new Promise((resolve) => socket.once("data", resolve));
			socket.destroy();
		}),
		{ numRuns: 60 },
	);
	expect((await bed.api("/api/conversations")).status).toBe(200);
	expect(bed.log.filter((line) => line.level === "error")).toEqual([]);
});

test("[SE23] a crowd of silent connections pushes out its own oldest; the owner comes in", async () => {
	const crowd: Socket[] = [];
	let cut = 0;
	for (let i = 0; i < MAX_UNKNOWN_SOCKETS * 3; i += 1) {
		const socket = connect(bed.port, "127.0.0.1");
		socket.on("error", () => undefined);
		socket.on("close", () => {
			cut += 1;
		});
		crowd.push(socket);
		await new Promise((resolve) => socket.once("connect", resolve));
	}
	expect((await bed.api("/api/conversations")).status).toBe(200);
	const owner = await bed.connect();
	for (let i = 0; i < MAX_UNKNOWN_SOCKETS * 2; i += 1) {
		const socket = connect(bed.port, "127.0.0.1");
		socket.on("error", () => undefined);
		crowd.push(socket);
		await new Promise((resolve) => socket.once("connect", resolve));
	}
	owner.send({ type: "ping" });
	await owner.next("pong");
	expect(cut).toBeGreaterThanOrEqual(MAX_UNKNOWN_SOCKETS * 2 - 5);
	for (const socket of crowd) socket.destroy();
});

test("[SE228] three hundred connections that come before the first of them asks are all answered", async () => {
	const sockets = await Promise.all(
		Array.from({ length: 300 }, async () => {
			const socket = connect(bed.port, "127.0.0.1");
			await new Promise((resolve) => socket.once("connect", resolve));
			return socket;
		}),
	);
	expect((await bed.api("/healthz")).status).toBe(200);
	const ask = (socket: Socket) =>
		new Promise<string>((resolve, reject) => {
			socket.once("data", (answer: Buffer) => resolve(answer.toString().split("\r\n")[0] ?? ""));
			socket.once("error", reject).once("close", () => reject(new Error("cut")));
			socket.write(lines("GET /healthz HTTP/1.1", host(), "Connection: close"));
		});
	expect(new Set(await Promise.all(sockets.map(ask)))).toEqual(new Set(["HTTP/1.1 200 OK"]));
});

test("[SE229] above the most sockets an upgrade is refused with 503, and goes again when one has ended", async () => {
	const small = await createWebBed({ config: { maxSockets: 2 } });
	const first = await small.connect();
	await small.connect();
	await expect(small.connect()).rejects.toThrow("503");
	first.ws.close();
	await first.closed;
	await (await small.connect()).ws.close();
	await small.close();
});

test("[SE24] headers that are too large or too many are refused", async () => {
	const big = await rawRequest(bed.port, lines("GET / HTTP/1.1", host(), `X: ${"x".repeat(20_000)}`));
	expect([400, 431]).toContain(big.status);
	const many = await rawRequest(bed.port, lines("GET / HTTP/1.1", host(), ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: y`)));
	expect([400, 431]).toContain(many.status);
});

test("[SE230] a request whose headers never end is cut off, and so is a connection without one; neither hears a word", {
	timeout: 60_000,
}, async () => {
	/** What came until the server closed the connection. */
	async function heard(begin: string): Promise<string> {
		const socket = connect(bed.port, "127.0.0.1");
		let received = "";
		socket.on("error", () => undefined);
		socket.on("data", (data) => {
			received += data.toString("latin1");
		});
		if (begin !== "") socket.write(begin);
		await new Promise((resolve) => socket.once("close", resolve));
		return received;
	}
	// A browser keeps connections in stock; an answer on one of them would be taken for that to the next request.
	expect(await Promise.all([heard(`GET / HTTP/1.1\r\n${host()}\r\n`), heard("")])).toEqual(["", ""]);
});

test.each(["a b HTTP/1.1", "GET  HTTP/1.1", "GET / HTTP/9.9", "\0\0\0\0", "GET / HTTP/1.1\r\nHost : x"])(
	"[SE24] %j is answered with 400 and nothing else happens",
	async (start) => {
		const answer = await rawRequest(bed.port, `${start}\r\n\r\n`);
		expect([0, 400, 403]).toContain(answer.status);
		expect((await bed.api("/api/conversations")).status).toBe(200);
	},
);

test("[SE231] two lengths, or a length and chunks, are refused: nothing can be smuggled behind a proxy", async () => {
	for (const extra of [
		["Content-Length: 2", "Content-Length: 40"],
		["Content-Length: 2", "Transfer-Encoding: chunked"],
	]) {
		const request = lines("POST /api/conversations HTTP/1.1", host(), `Authorization: Bearer ${bed.token}`, ...extra);
		expect((await rawRequest(bed.port, `${request}{}`)).status).toBe(400);
	}
	expect(bed.conversations.list().conversations).toEqual([]);
});

test.each(["unknown", "..%2f..%2fetc%2fpasswd", "' OR 1=1 --", "%00", "x".repeat(150)])(
	"[SE25] the conversation %j is simply not found",
	async (id) => {
		const path = `/api/conversations/${id.includes("%") ? id : encodeURIComponent(id)}`;
		for (const suffix of ["", "/messages", "/export", "/files"]) {
			const response = await bed.api(`${path}${suffix}`);
			expect([400, 404]).toContain(response.status);
			const { error } = Object(await response.json());
			expect(["conversation-not-found", "not-found", "bad-request"]).toContain(error.code);
		}
	},
);

test("[SE26] secrets never reach a client or the log, whatever an error says", async () => {
	const secret = "sk-very-secret-value-123";
	const failing = await createWebBed({ secrets: [secret] });
	failing.runtime.listModels = () => Promise.reject(new Error(`401 for key ${secret}`));
	const response = await failing.api("/api/copilot/models");
	expect(response.status).toBe(500);
	expect(await response.text()).not.toContain(secret);
	expect(JSON.stringify(failing.log)).toContain("[redacted]");
	expect(JSON.stringify(failing.log)).not.toContain(secret);
	await failing.close();
});

test("[SE144] a rotated token is hidden at once, wherever it is printed", async () => {
	const id = await bed.begin();
	expect((await bed.api("/api/token/rotate", { method: "POST" })).status).toBe(204);
	const token = readFileSync(join(bed.home, "token"), "utf8").trim();
	expect(token).not.toBe(bed.token);
	bed.conversations.exec({ conversationId: id, command: "cat token", origin: "web" });
	bed.shell.commands.at(-1)?.output(`${token}\n`);
	bed.shell.commands.at(-1)?.finish();
	await expect.poll(() => bed.conversations.messages(id, { limit: 1 }).messages[0]?.content).toContain("[redacted]");
	expect(JSON.stringify(bed.rows("SELECT * FROM events"))).not.toContain(token);
	expect(JSON.stringify(bed.rows("SELECT * FROM messages"))).not.toContain(token);
});

test("[SE247] the output of a job shows none of our secrets, and the terminal is the person's own screen", async () => {
	const id = await bed.begin();
	bed.shell.jobOutput = async () => ({ ok: true, text: `printed ${bed.token}`, status: "running" });
	const socket = await bed.connect();
	socket.send({ type: "bash:job_output", data: { conversationId: id, bashId: "bash_1" } });
	expect((await socket.next("bash:job_output")).data.output).toBe("printed [redacted]");
	socket.send({ type: "terminal:open", data: { terminalId: "t1", cols: 80, rows: 24 } });
	await socket.next("terminal:opened");
	socket.send({ type: "terminal:input", data: { terminalId: "t1", data: `echo ${bed.token}\r` } });
	let shown = "";
	while (!shown.includes(bed.token)) shown += String((await socket.next("terminal:output")).data.data);
});
