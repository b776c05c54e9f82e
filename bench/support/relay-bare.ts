import { createServer } from "node:http";
import { join } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { paced } from "./relay-protocol.ts";
import { serveRelay } from "./serve-relay.ts";

// The least that relays: no numbers, no login, no bounds. One frame per token, encoded once for all readers. As "durable" it also
// keeps what it shows: everything that came meanwhile in one commit, and only then to the readers.
const [home = "", count = "1", kind = "bare"] = process.argv.slice(2);
const ids = Array.from({ length: Number(count) }, (_, stream) => `stream-${stream}`);
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

interface Frame {
	id: string;
	text: string;
}
const show = ({ id, text }: Frame) => {
	const bytes = Buffer.from(text);
	for (const reader of readers.get(id) ?? []) reader.send(bytes, { binary: false });
};
const relay = kind === "durable" ? keepFirst() : show;

serveRelay({ url: `http://127.0.0.1:${port}`, headers: {}, conversationIds: ids }, async (emission) => ({
	emit: () =>
		paced(emission, (stream, content) => {
			const id = ids[stream] ?? "";
			relay({
				id,
				text: JSON.stringify({ type: "copilot:delta", data: { conversationId: id, epoch: "e", seq: 1, messageId: "m", content } }),
			});
		}),
	end: () => undefined,
}));

function keepFirst(): (frame: Frame) => void {
	const database = new (loadSqlite().module.DatabaseSync)(join(home, "bare.db"));
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE events (id TEXT, frame TEXT)");
	const insert = database.prepare("INSERT INTO events VALUES (?, ?)");
	let waiting: Frame[] = [];
	const commit = () => {
		const frames = waiting;
		waiting = [];
		database.exec("BEGIN");
		for (const { id, text } of frames) insert.run(id, text);
		database.exec("COMMIT");
		for (const frame of frames) show(frame);
	};
	return (frame) => {
		if (waiting.length === 0) setImmediate(commit);
		waiting.push(frame);
	};
}
