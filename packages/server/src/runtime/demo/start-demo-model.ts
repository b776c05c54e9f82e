import { randomBytes, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { readChatRequest } from "./chat-request.ts";
import { answerDemo } from "./demo-pilot.ts";
import { sendWhole, streamAnswer } from "./stream-answer.ts";

export interface DemoModel {
	/** Base URL for the runtime, with `/v1`. */
	url: string;
	/** Without it the model answers 401: other programs on this machine have no business here. */
	key: string;
	close(): Promise<void>;
}

const DEMO_PACE_MS = 24;
const MAX_BODY_BYTES = 8 * 1024 * 1024;

/** Starts the scripted model that answers when no real one is configured. Loopback only. */
export async function startDemoModel(options: { paceMs?: number } = {}): Promise<DemoModel> {
	const key = randomBytes(24).toString("hex");
	const server = createServer((request, response) => {
		handle(request, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});

	async function handle(request: IncomingMessage, response: ServerResponse) {
		if (!sameText(request.headers.authorization ?? "", `Bearer ${key}`))
			return refuse(response, 401, "This model answers only its own server.");
		if (request.method !== "POST" || request.url !== "/v1/chat/completions")
			return refuse(response, 404, "There is only /v1/chat/completions here.");
		const body = await readBody(request);
		if (body === undefined) return refuse(response, 413, "The request is larger than 8 MB.");
		const parsed = parseJson(body);
		if (parsed === undefined) return refuse(response, 400, "The request is not JSON.");
		const chat = readChatRequest(parsed);
		const steps = answerDemo(chat);
		if (!chat.stream) return sendWhole(response, steps, chat);
		await streamAnswer(response, steps, { ...chat, paceMs: options.paceMs ?? DEMO_PACE_MS });
	}

	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	// A server that shuts down must not be kept alive by its own demo.
	server.unref();
	const address = server.address();
	const port = address === null || typeof address === "string" ? 0 : address.port;
	return {
		url: `http://127.0.0.1:${port}/v1`,
		key,
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
}

function refuse(response: ServerResponse, status: number, message: string) {
	response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(JSON.stringify({ error: { message } }));
}

async function readBody(request: IncomingMessage): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of request) {
		const bytes = Buffer.from(chunk);
		size += bytes.length;
		if (size > MAX_BODY_BYTES) return undefined;
		chunks.push(bytes);
	}
	return Buffer.concat(chunks).toString("utf8");
}

function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function sameText(given: string, wanted: string): boolean {
	const left = Buffer.from(given);
	const right = Buffer.from(wanted);
	return left.length === right.length && timingSafeEqual(left, right);
}
