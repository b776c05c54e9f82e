import { createServer, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { createServer as createTcpServer, type Socket } from "node:net";
import type { TLSSocket } from "node:tls";
import { listenOnLoopback } from "./listen-on-loopback.ts";
import { createStrangerLimit } from "./stranger-limit.ts";

const MAX_SOCKETS = 4_096;
const HEADERS_TIMEOUT_MS = 10_000;
const REQUEST_TIMEOUT_MS = 120_000;
const MAX_HEADER_BYTES = 16 * 1024;
const CHECK_INTERVAL_MS = 2_000;

/** The Node server with its limits. */
export interface LimitedServer {
	server: Server;
	/** This connection belongs to someone who is logged in; the limit on strangers no longer counts it. */
	trust(socket: object): void;
	/** This connection's login is being checked; the limit does not end it until the result is called. */
	hold(socket: object): () => void;
	unknownCount(): number;
	/** Takes a connection that was accepted and decrypted elsewhere; it has the same limits as every other. */
	deliver(socket: TLSSocket): void;
	/** Resolves with the port. On loopback both address families are taken, or it rejects. */
	listen(at: { host: string; port: number }): Promise<number>;
	/** Ends every connection and stops listening. */
	close(): Promise<void>;
}

/** A Node server with bounded headers, times and connections. */
export function createHttpServer(tls: { cert: string; key: string } | undefined): LimitedServer {
	const options = {
		maxHeaderSize: MAX_HEADER_BYTES,
		headersTimeout: HEADERS_TIMEOUT_MS,
		requestTimeout: REQUEST_TIMEOUT_MS,
		connectionsCheckingInterval: CHECK_INTERVAL_MS,
		keepAlive: true,
		noDelay: true,
	};
	const server =
		tls === undefined
			? createServer(options)
			: createTlsServer({ ...options, ...tls, minVersion: "TLSv1.2", handshakeTimeout: HEADERS_TIMEOUT_MS });
	server.maxConnections = MAX_SOCKETS;
	server.maxHeadersCount = 100;

	// Only a second way in: what arrives here goes through the same server, its limits, its times and its TLS.
	const sibling = createTcpServer({ allowHalfOpen: tls === undefined, keepAlive: true, noDelay: true }, (socket) =>
		server.emit("connection", socket),
	);
	sibling.maxConnections = MAX_SOCKETS;

	const strangers = createStrangerLimit();
	const arrival = tls === undefined ? "connection" : "secureConnection";
	server.on(arrival, (socket: Socket) => {
		socket.once("close", () => strangers.remove(socket));
		strangers.add(socket, socket.remoteAddress ?? "", () => socket.destroy());
	});
	return {
		server,
		trust: strangers.remove,
		hold: strangers.hold,
		unknownCount: strangers.size,
		deliver: (socket) => void server.emit(arrival, socket),
		// `localhost` is a name with two addresses; we mean both.
		listen: ({ host, port }) => listenOnLoopback({ main: server, sibling }, { host: host === "localhost" ? "127.0.0.1" : host, port }),
		async close() {
			const closed = Promise.all([server, sibling].map((listener) => new Promise((resolve) => listener.close(resolve))));
			server.closeAllConnections();
			await closed;
		},
	};
}
