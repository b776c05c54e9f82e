import { join } from "node:path";
import { keepFirst } from "./bare-commit.ts";
import { deltaFrame, serveBareSockets } from "./bare-sockets.ts";
import { paced } from "./relay-protocol.ts";
import { serveRelay } from "./serve-relay.ts";

// The least that relays: no numbers, no login, no bounds. One frame per token, encoded once for all readers. As "durable" it also
// keeps what it shows: everything that came meanwhile in one commit, synced by a thread, and only then to the readers.
const [home = "", count = "1", kind = "bare"] = process.argv.slice(2);
const ids = Array.from({ length: Number(count) }, (_, stream) => `stream-${stream}`);
const { url, show } = await serveBareSockets(ids);

const relay = kind === "durable" ? keepFirst(join(home, "bare.db"), show) : show;

serveRelay({ url, headers: {}, conversationIds: ids }, async (emission) => ({
	emit: () =>
		paced(emission, (stream, content) => {
			const id = ids[stream] ?? "";
			relay(id, deltaFrame(id, content));
		}),
	end: () => undefined,
}));
