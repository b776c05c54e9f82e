import { createServer } from "node:http";
import { type WebSocket, WebSocketServer } from "ws";
import { paced } from "./relay-protocol.ts";
import { serveRelay } from "./serve-relay.ts";

// The least that relays: no storage, no numbers, no login, no bounds. One frame per token, encoded once for all readers.
const streams = Number(process.argv[3] ?? "1");
const ids = Array.from({ length: streams }, (_, stream) => `stream-${stream}`);
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
const port = typeof address === "object" && address !== null ? address.port : 0;

serveRelay({ url: `http://127.0.0.1:${port}`, headers: {}, conversationIds: ids }, async (emission) => ({
	emit: () =>
		paced(emission, (stream, content) => {
			const id = ids[stream] ?? "";
			const frame = Buffer.from(
				JSON.stringify({ type: "copilot:delta", data: { conversationId: id, epoch: "e", seq: 1, messageId: "m", content } }),
			);
			for (const reader of readers.get(id) ?? []) reader.send(frame, { binary: false });
		}),
	end: () => undefined,
}));
