import { createServer } from "node:http";
import { join } from "node:path";
import { type WebSocket, WebSocketServer } from "ws";
import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { createSyncThread } from "../../packages/server/src/store/sqlite/sync-thread.ts";
import { paced } from "./relay-protocol.ts";
import { serveRelay } from "./serve-relay.ts";

// The least that relays: no numbers, no login, no bounds. One frame per token, encoded once for all readers. As "durable" it also
// keeps what it shows: everything that came meanwhile in one commit, synced by a thread, and only then to the readers.
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
	const path = join(home, "bare.db");
	const database = new (loadSqlite().module.DatabaseSync)(path);
	// As many pages as ours; the sync is not made here but by a thread, because a slow disk must not hold up the sockets (docs/decisions/0292).
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
	database.exec("CREATE TABLE events (id TEXT, frame TEXT)");
	const insert = database.prepare("INSERT INTO events VALUES (?, ?)");
	const { sync } = createSyncThread(`${path}-wal`);
	let waiting: Frame[] = [];
	let running = false;
	function commit(): void {
		const frames = waiting;
		waiting = [];
		running = true;
		database.exec("BEGIN");
		for (const { id, text } of frames) insert.run(id, text);
		database.exec("COMMIT");
		sync((error) => {
			if (error !== undefined) throw error;
			for (const frame of frames) show(frame);
			running = false;
			if (waiting.length > 0) commit();
		});
	}
	return (frame) => {
		if (waiting.length === 0 && !running) setImmediate(commit);
		waiting.push(frame);
	};
}
