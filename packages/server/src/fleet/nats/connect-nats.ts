import type { Socket } from "node:net";
import { type NatsConnection, NatsConnectionImpl, type NodeConnectionOptions, setTransportFactory } from "@nats-io/transport-node";
import { NodeTransport, nodeResolveHost } from "@nats-io/transport-node/lib/node_transport.js";

/** The client's `connect`, on sockets whose last error ends no process (docs/decisions/0690). */
export function connectNats(options: NodeConnectionOptions): Promise<NatsConnection> {
	setTransportFactory({ factory: createTransport, dnsResolveFn: nodeResolveHost });
	return NatsConnectionImpl.connect(options);
}

function createTransport(): NodeTransport {
	const transport = new NodeTransport();
	const setUp = transport.setupHandlers.bind(transport);
	transport.setupHandlers = () => {
		setUp();
		hearErrors(transport.socket);
	};
	return transport;
}

/**
 * Closing takes every listener from the socket. An error that it has by then, such as a write after the server has ended the connection, is emitted a
 * moment later: nobody would hear it, and that ends a process.
 */
function hearErrors(socket: Socket): void {
	const remove = socket.removeAllListeners.bind(socket);
	socket.removeAllListeners = (...events) => {
		remove(...events);
		return socket.on("error", () => undefined);
	};
}
