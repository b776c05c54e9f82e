import { WebSocket } from "ws";
import { stampMs } from "./relay-protocol.ts";
import type { Relay } from "./start-relay.ts";

const AT_ONCE = 40;

/** Sockets that read conversations and note how old each token is when it arrives. */
export interface Readers {
	/** Milliseconds from the token's stamp to here, of every reader and token since the last call. */
	take(): number[];
	close(): void;
}

/** `perStream` readers of each of the relay's first `streams` conversations. */
export async function connectReaders(relay: Relay, streams: number, perStream: number): Promise<Readers> {
	const wanted = relay.conversationIds.slice(0, streams).flatMap((id) => Array.from({ length: perStream }, () => id));
	const ages: number[] = [];
	const sockets: WebSocket[] = [];
	// Servers bound how many connections without a credential they hold at once.
	for (let index = 0; index < wanted.length; index += AT_ONCE)
		sockets.push(...(await Promise.all(wanted.slice(index, index + AT_ONCE).map((id) => openReader(relay, id, ages)))));
	return {
		take: () => ages.splice(0),
		close() {
			for (const socket of sockets) socket.terminate();
		},
	};
}

/** One socket, resolved when its subscription stands. */
export function openReader(relay: Pick<Relay, "url" | "headers">, id: string, ages: number[]): Promise<WebSocket> {
	const url = new URL("/ws", relay.url.replace("http", "ws"));
	const socket = new WebSocket(url, { headers: { origin: relay.url, ...relay.headers }, perMessageDeflate: false });
	socket.on("message", (raw) => noteAges(String(raw), ages));
	return new Promise((resolve, reject) => {
		socket.once("error", reject);
		socket.once("open", () => socket.send(JSON.stringify({ type: "copilot:subscribe", data: { conversationId: id } })));
		// Whatever comes first says that the subscription stands.
		socket.once("message", () => resolve(socket));
	});
}

const CONTENT = '"content":"';

/** A frame may carry several tokens: each is the moment it was said at, and a space. */
export function noteAges(frame: string, ages: number[]): void {
	if (!frame.startsWith('{"type":"copilot:delta"')) return;
	const begin = frame.indexOf(CONTENT) + CONTENT.length;
	noteStamps(frame.slice(begin, frame.indexOf('"', begin)), ages);
}

/** How old each of these tokens is now. */
export function noteStamps(text: string, ages: number[]): void {
	const now = stampMs();
	for (const token of text.split(" ")) if (token !== "") ages.push(now - Number(token));
}
