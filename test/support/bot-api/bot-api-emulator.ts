import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import { createBotApi } from "./bot-api.ts";
import { readBody } from "./request-body.ts";

/** The Bot API as a server on loopback. */
export async function createBotApiEmulator(options: { clock?: Clock; token?: string; rateLimits?: boolean } = {}) {
	const api = createBotApi(options);

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const path = decodeURIComponent(request.url ?? "");
		if (path.startsWith("/file/")) return download(path, response);
		const { given, method = path } = /^\/bot(?<given>[^/]+)\/(?<method>\w+)$/.exec(path)?.groups ?? {};
		const onLeave = (listener: () => void) => void response.once("close", listener);
		const reply = await api.call({ token: given, method, body: await readBody(request), onLeave });
		if (reply.kind === "cut") response.socket?.destroy();
		else answer(response, reply.status, reply.value);
	}

	function download(path: string, response: ServerResponse): void {
		const start = `/file/bot${api.token}/`;
		const bytes = path.startsWith(start) ? api.file(path.slice(start.length)) : undefined;
		response.statusCode = bytes === undefined ? 404 : 200;
		response.end(bytes ?? "");
	}

	const server = createServer((request, response) => {
		serve(request, response).catch((error: unknown) => {
			response.statusCode = 500;
			response.end(String(error));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	const port = typeof address === "object" && address !== null ? address.port : 0;

	return Object.assign(api, {
		url: `http://127.0.0.1:${port}`,
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	});
}
export type BotApiEmulator = Awaited<ReturnType<typeof createBotApiEmulator>>;

function answer(response: ServerResponse, status: number, value: object): void {
	if (response.destroyed) return;
	response.statusCode = status;
	response.setHeader("content-type", "application/json");
	response.end(JSON.stringify(value));
}
