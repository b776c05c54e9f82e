import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A tiny MCP server with two tools: `Echo` says its arguments, `Hang` never ends. */
export async function startMcpServer() {
	const tokens = new Set<string | undefined>();
	const heard: { method: string; params?: { name?: string; arguments?: unknown } }[] = [];
	const waiting = new Set<() => void>();

	const server = createServer(async (request, response) => {
		tokens.add(request.headers.authorization);
		const message = JSON.parse(await text(request));
		heard.push(message);
		for (const look of [...waiting]) look();
		if (message.id === undefined) {
			response.writeHead(202).end();
			return;
		}
		if (message.params?.name === "Hang") return;
		response.writeHead(200, { "content-type": "application/json" });
		response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: answer(message) }));
	});
	server.listen(0, "127.0.0.1");
	await once(server, "listening");

	function answer({ method, params }: (typeof heard)[number]) {
		if (method === "tools/list") return { tools: [{ name: "Echo" }, { name: "Hang" }] };
		if (method === "tools/call") return { content: [{ type: "text", text: JSON.stringify(params?.arguments) }] };
		return { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "test", version: "1" } };
	}

	function hears(matches: (message: (typeof heard)[number]) => boolean): Promise<void> {
		return new Promise((resolve) => {
			function look() {
				if (!heard.some(matches)) return;
				waiting.delete(look);
				resolve();
			}
			waiting.add(look);
			look();
		});
	}

	return {
		url: `http://127.0.0.1:${addressOf(server.address()).port}/mcp`,
		tokens,
		called: (name: string) => hears(({ method, params }) => method === "tools/call" && params?.name === name),
		cancelled: () => hears(({ method }) => method === "notifications/cancelled"),
		close: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, "close");
		},
	};
}

function addressOf(address: AddressInfo | string | null): AddressInfo {
	if (address === null || typeof address === "string") throw new TypeError("The server does not listen on a port.");
	return address;
}
