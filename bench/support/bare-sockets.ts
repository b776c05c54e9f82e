import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";

/** The least that serves sockets: no numbers, no login, no bounds. One frame per token, encoded once for all readers of its stream. */
export async function serveBareSockets(ids: readonly string[]): Promise<{ url: string; show(id: string, text: string): void }> {
	const readers = new Map<string, Set<WebSocket>>(ids.map((id) => [id, new Set()]));
	const server = createServer();
	const sockets = new WebSocketServer({ server, perMessageDeflate: false });
	sockets.on("connection", (socket) => {
		socket.on("message", (raw) => {
			const id: string = JSON.parse(String(raw)).data.conversationId;
			readers.get(id)?.add(socket);
			socket.send(JSON.stringify({ type: "copilot:stream-status", data: { conversationId: id } }));
			socket.on("close", () => readers.get(id)?.delete(socket));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	const address = server.address();
	return {
		url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`,
		show(id, text) {
			const bytes = Buffer.from(text);
			for (const reader of readers.get(id) ?? []) reader.send(bytes, { binary: false });
		},
	};
}

/** A token as a frame that readers understand. */
export const deltaFrame = (id: string, content: string): string =>
	JSON.stringify({ type: "copilot:delta", data: { conversationId: id, epoch: "e", seq: 1, messageId: "m", content } });
