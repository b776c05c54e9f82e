import { connect, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, beforeEach, expect, test } from "vitest";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createMemoryLedger, type MemoryLedger } from "../../../core/kernel/memory-ledger.ts";
import { countHeldAnswers } from "./held-answers.ts";
import { problemOf } from "./http-errors.ts";

const LARGE = 8 * 1_048_576;
let app: FastifyInstance;
let memory: MemoryLedger;
let url: string;
const open: Socket[] = [];

beforeEach(async () => {
	memory = createMemoryLedger(2.5 * LARGE);
	app = fastify({ forceCloseConnections: true });
	app.setErrorHandler((error, _request, reply) => {
		const { status, body } = problemOf(error, { logger: silentLogger, redact: (text) => text });
		return reply.code(status).send(body);
	});
	countHeldAnswers(app, memory);
	const config = { answerBytes: LARGE };
	app.get("/api/large", { config }, async (_request, reply) => reply.type("application/octet-stream").send(Buffer.alloc(LARGE)));
	app.get("/api/unforeseen", async (_request, reply) => reply.type("application/octet-stream").send(Buffer.alloc(LARGE)));
	app.get("/api/smaller", { config }, async () => ({ text: "short" }));
	app.get("/api/failing", { config }, async () => Promise.reject(new Error("no")));
	url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterEach(async () => {
	for (const socket of open.splice(0)) socket.destroy();
	await app.close();
});

const held = () => memory.usage().accounts.answers;

/** Asks, reads the first bytes of the answer and nothing more. */
async function ask(path: string): Promise<string> {
	const socket = connect(Number(new URL(url).port), "127.0.0.1");
	open.push(socket);
	socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
	const first = await new Promise<Buffer>((resolve) => socket.once("data", resolve));
	socket.pause();
	return /^HTTP\/1\.1 (\d+)/.exec(String(first.subarray(0, 20)))?.[1] ?? "";
}

test.each(["/api/large", "/api/unforeseen"])(
	"[HT401] answers that nobody reads are refused at the bound, and count until they are gone (%s)",
	async (path) => {
		expect([await ask(path), await ask(path), await ask(path)]).toEqual(["200", "200", "429"]);
		expect(held()).toBe(2 * LARGE);
		const refused = await fetch(`${url}${path}`);
		expect([refused.status, refused.headers.get("content-type")]).toEqual([429, "application/json; charset=utf-8"]);
		expect(await refused.json()).toMatchObject({ error: { code: "rate-limited", params: { reason: "memory" } } });
		for (const socket of open.splice(0)) socket.destroy();
		await expect.poll(held).toBe(0);
		expect((await (await fetch(`${url}${path}`)).arrayBuffer()).byteLength).toBe(LARGE);
		await expect.poll(held).toBe(0);
	},
);

test("[HT401] what was counted before is given back when the answer is smaller, or fails", async () => {
	for (const path of ["/api/smaller", "/api/failing", "/api/smaller", "/api/failing"]) await (await fetch(`${url}${path}`)).text();
	await expect.poll(held).toBe(0);
});
