import { connect, createServer, type Socket } from "node:net";
import { freePort } from "./free-port.ts";

/** A TCP proxy in front of a server that does to connections what bad networks do. */
export interface FaultProxy {
	/** Where clients connect. */
	readonly url: string;
	readonly port: number;
	/** Open connections. */
	connections(): number;
	/** Ends every connection at once, with a reset. */
	cut(): void;
	/** Keeps every connection open, and new ones too, but lets nothing through, in one or in either direction, until `resume`. */
	freeze(direction?: Direction): void;
	/** Ends `freeze`, `delay` and `refuse`; what was held back goes through. */
	resume(): void;
	/** Holds back every chunk for this long. */
	delay(ms: number): void;
	/** The clients are gone, but the server is not told: its side of every connection stays open and silent. */
	halfOpen(): void;
	/** Refuses new connections until `resume`. */
	refuse(): void;
	close(): Promise<void>;
}

/** Which way bytes go. */
export type Direction = "to-server" | "to-client";

interface Pair {
	client: Socket;
	upstream: Socket;
}

/** `listenOn`: the port of an earlier proxy, to come back after it was closed; else a free one. */
export async function createFaultProxy(target: { host?: string; port: number }, listenOn?: number): Promise<FaultProxy> {
	const pairs = new Set<Pair>();
	const frozen = new Set<Direction>();
	let refusing = false;
	let delayMs = 0;

	const forward = (from: Socket, to: Socket, pair: Pair) => {
		from.on("data", (chunk) => {
			if (delayMs === 0) to.write(chunk);
			else setTimeout(() => to.writable && to.write(chunk), delayMs);
		});
		from.on("error", () => undefined);
		from.on("close", () => {
			if (!pairs.has(pair)) return;
			// What is on its way with a delay still arrives before the end.
			setTimeout(() => to.end(), delayMs);
			if (pair.client.destroyed && pair.upstream.destroyed) pairs.delete(pair);
		});
	};

	const hold = ({ client, upstream }: Pair) => {
		if (frozen.has("to-server")) client.pause();
		if (frozen.has("to-client")) upstream.pause();
	};

	// A chunk is passed on as it comes: waiting for more would make every answer late.
	const server = createServer({ noDelay: true }, (client) => {
		if (refusing) return client.resetAndDestroy();
		const upstream = connect({ port: target.port, host: target.host ?? "127.0.0.1", noDelay: true });
		const pair = { client, upstream };
		pairs.add(pair);
		forward(client, upstream, pair);
		forward(upstream, client, pair);
		hold(pair);
	});
	const port = listenOn ?? (await freePort());
	await new Promise<void>((resolve, reject) => server.once("error", reject).listen(port, "127.0.0.1", resolve));

	const each = (act: (socket: Socket) => void) => {
		for (const pair of pairs) for (const socket of [pair.client, pair.upstream]) act(socket);
	};
	const cut = () => {
		const ended = [...pairs];
		pairs.clear();
		for (const { client, upstream } of ended) for (const socket of [client, upstream]) socket.resetAndDestroy();
	};
	return {
		url: `http://127.0.0.1:${port}`,
		port,
		connections: () => [...pairs].filter((pair) => !pair.client.destroyed).length,
		cut,
		freeze(direction) {
			for (const each of direction === undefined ? (["to-server", "to-client"] as const) : [direction]) frozen.add(each);
			for (const pair of pairs) hold(pair);
		},
		resume() {
			frozen.clear();
			refusing = false;
			delayMs = 0;
			each((socket) => socket.resume());
		},
		delay(ms) {
			delayMs = ms;
		},
		halfOpen() {
			for (const { client, upstream } of pairs) {
				client.removeAllListeners("close");
				client.destroy();
				upstream.removeAllListeners("data");
				upstream.resume();
			}
		},
		refuse() {
			refusing = true;
		},
		async close() {
			cut();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}
