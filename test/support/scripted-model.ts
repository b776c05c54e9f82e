import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { playSteps } from "./scripted-model-play.ts";
import { type Step, text } from "./scripted-model-steps.ts";

/**
 * An OpenAI-compatible model on loopback that says exactly what a test scripts.
 *
 *     const model = await startScriptedModel();
 *     model.reply(text("Hello"), pause(50), text(" there"), usage(12, 2));   // the next request
 *     model.reply(toolCall("Bash", { command: "ls" }));                      // the one after
 *     model.default((request) => [text(`You said ${lastUserText(request)}`)]); // whenever no reply is queued
 */
export interface ScriptedModel {
	/** Base URL with `/v1`, as RIGHTSEAT_PROVIDER_URL wants it. */
	readonly url: string;
	/** Every chat request so far, oldest first; the newest 2,000 are kept. */
	readonly requests: ModelRequest[];
	/** Queues the answer to one request. */
	reply(...steps: Step[]): void;
	/** Answers every request for which no reply is queued. */
	default(answer: (request: ModelRequest) => Iterable<Step>): void;
	/** The n-th chat request (from 1), as soon as it is there. */
	request(n: number): Promise<ModelRequest>;
	/** Drops the replies that were queued and not used. */
	forget(): void;
	/** Down: whoever asks for the models gets an error, while prompts are answered. */
	listing: "up" | "down";
	/** Replies queued and not used yet. */
	readonly unused: number;
	close(): Promise<void>;
}

export interface ModelRequest {
	readonly body: ChatBody;
	readonly headers: Record<string, string | string[] | undefined>;
	/** Resolves when the response is over: `true` if it was played to its end, `false` if the client went away before. */
	readonly closed: Promise<boolean>;
}

export interface ChatBody {
	model: string;
	messages: ChatMessage[];
	tools?: { type: string; function?: { name: string; description?: string; parameters?: unknown } }[];
	[field: string]: unknown;
}
export interface ChatMessage {
	role: string;
	content?: string | { type: string; text?: string; [field: string]: unknown }[] | null;
	tool_calls?: { id: string; function: { name: string; arguments: string } }[];
	tool_call_id?: string;
	[field: string]: unknown;
}

const KEPT_REQUESTS = 2000;

export async function startScriptedModel(options: { models?: string[]; key?: string } = {}): Promise<ScriptedModel> {
	const models = options.models ?? ["scripted-model"];
	const queue: Step[][] = [];
	const requests: ModelRequest[] = [];
	const waiting: { n: number; resolve: (request: ModelRequest) => void }[] = [];
	let count = 0;
	let answer: (request: ModelRequest) => Iterable<Step> = () => [text("Nothing is scripted for this request.")];

	const server = createServer((incoming, response) => {
		handle(incoming, response).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});
	server.keepAliveTimeout = 1000;

	async function handle(incoming: IncomingMessage, response: ServerResponse) {
		const body = await readAll(incoming);
		if (options.key !== undefined && incoming.headers.authorization !== `Bearer ${options.key}`)
			return sendJson(response, 401, { error: { message: "wrong key" } });
		const path = incoming.url ?? "";
		if (incoming.method === "GET" && path.endsWith("/models")) {
			if (model.listing === "down") return sendJson(response, 500, { error: { message: "the list is down" } });
			return sendJson(response, 200, { object: "list", data: models.map((id) => ({ id, object: "model", created: 1, owned_by: "test" })) });
		}
		if (incoming.method !== "POST" || !path.includes("/chat/completions"))
			return sendJson(response, 404, { error: { message: `no ${path}` } });
		const parsed: ChatBody = JSON.parse(body);
		const closed = new Promise<boolean>((resolve) => response.once("close", () => resolve(response.writableFinished)));
		const request: ModelRequest = { body: parsed, headers: incoming.headers, closed };
		count += 1;
		requests.push(request);
		if (requests.length > KEPT_REQUESTS) requests.shift();
		for (const waiter of waiting.filter(({ n }) => n === count)) waiter.resolve(request);
		await playSteps(response, queue.shift() ?? answer(request), { id: `scripted-${count}`, model: parsed.model });
	}

	await new Promise<void>((resolve, reject) => {
		server.once("error", reject);
		server.listen(0, "127.0.0.1", resolve);
	});
	const port = portOf(server.address());

	const model: ScriptedModel = {
		url: `http://127.0.0.1:${port}/v1`,
		requests,
		listing: "up",
		reply: (...steps) => queue.push(steps),
		default(next) {
			answer = next;
		},
		request(n) {
			const first = count - requests.length + 1;
			const known = requests[n - first];
			return known !== undefined ? Promise.resolve(known) : new Promise((resolve) => waiting.push({ n, resolve }));
		},
		forget: () => void queue.splice(0),
		get unused() {
			return queue.length;
		},
		close: () =>
			new Promise<void>((resolve) => {
				server.close(() => resolve());
				server.closeAllConnections();
			}),
	};
	return model;
}

/** The request that came last; throws when the model was not asked at all. */
export function newestRequestOf({ requests }: Pick<ScriptedModel, "requests">): ModelRequest {
	const request = requests.at(-1);
	if (request === undefined) throw new Error("The model was not asked.");
	return request;
}

/** The newest user prompt of a request, without the date line that the runtime puts before it. */
export function lastUserText(request: ModelRequest): string {
	const last = request.body.messages.filter(({ role }) => role === "user").at(-1);
	return last === undefined
		? ""
		: messageText(last)
				.replace(/^<current_datetime>.*?<\/current_datetime>\s*/s, "")
				.trim();
}

/** What the tools answered, newest last. */
export const toolTexts = (request: ModelRequest): string[] => request.body.messages.filter(({ role }) => role === "tool").map(messageText);

export function messageText(message: ChatMessage): string {
	if (typeof message.content === "string") return message.content;
	return (message.content ?? []).map((part) => part.text ?? "").join("");
}

function sendJson(response: ServerResponse, status: number, body: unknown) {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function readAll(incoming: IncomingMessage): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of incoming) chunks.push(chunk);
	return Buffer.concat(chunks).toString("utf8");
}

function portOf(address: AddressInfo | string | null): number {
	if (address === null || typeof address === "string") throw new Error("The scripted model has no port.");
	return address.port;
}
