import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { MODEL_APIS, type ModelApi } from "./model-apis.ts";
import { type Deed, decide, type ModelCall } from "./model-play.ts";

/** The model behind every real agent, on loopback: it does what the prompt says, in each of the four ways in which agents ask. */
export interface AgentModel {
	readonly url: string;
	/** Every call so far, without the ones for titles. */
	readonly calls: ModelCall[];
	close(): Promise<void>;
}

export async function startAgentModel(): Promise<AgentModel> {
	const calls: ModelCall[] = [];
	const server = createServer((request, response) => {
		answer(request, response).catch((error: unknown) => {
			if (!response.headersSent) response.writeHead(500, { "content-type": "application/json" });
			response.end(JSON.stringify({ error: { message: String(error) } }));
		});
	});

	async function answer(request: IncomingMessage, response: ServerResponse) {
		const path = request.url ?? "";
		const api = MODEL_APIS.find((one) => one.matches(path));
		if (request.method !== "POST" || api === undefined) return sendJson(response, other(path));
		const body = await json(request);
		const call = api.read(body);
		if (call.tools.length > 0) calls.push(call);
		const deeds = decide(call);
		const refusal = deeds.find((deed) => deed.kind === "status");
		if (refusal !== undefined)
			return sendJson(response, { error: { message: "The scripted model refuses.", code: refusal.code } }, refusal.code);
		if (path.includes(":generateContent")) return sendJson(response, wholeOf(api, deeds));
		response.writeHead(200, { "content-type": "text/event-stream" });
		for (const part of api.write(deeds)) {
			if (response.destroyed) return;
			if ("pauseMs" in part) await sleep(part.pauseMs);
			else {
				const data = typeof part.data === "string" ? part.data : JSON.stringify(part.data);
				response.write(`${part.event === undefined ? "" : `event: ${part.event}\n`}data: ${data}\n\n`);
			}
		}
		response.end();
	}

	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	const address = server.address();
	const port = address === null || typeof address === "string" ? 0 : address.port;
	return {
		url: `http://127.0.0.1:${port}`,
		calls,
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

/** Lists of models and counts of tokens. */
const other = (path: string) =>
	path.includes("count")
		? { input_tokens: 10, totalTokens: 10 }
		: { object: "list", data: [{ id: "scripted", object: "model" }], models: [] };

const wholeOf = (api: ModelApi, deeds: readonly Deed[]) =>
	api.write(deeds).flatMap((part) => ("pauseMs" in part ? [] : [part.data]))[0] ?? {};

function sendJson(response: ServerResponse, body: unknown, status = 200): void {
	response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}
