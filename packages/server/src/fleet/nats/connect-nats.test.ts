import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { connectNats } from "./connect-nats.ts";
import { startFakeNats } from "./fake-nats-harness.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
	for (const end of ends.splice(0)) await end();
});

test("[FL391] a connection that is closed with words on their way, in the moment in which the server ends it, ends no process", async () => {
	const uncaught: unknown[] = [];
	const hear = (error: unknown) => void uncaught.push(error);
	process.on("uncaughtException", hear);
	ends.push(() => process.off("uncaughtException", hear));
	const node = await startFakeNats();
	ends.push(node.close);
	const sockets: Socket[] = [];
	const see = (message: unknown) => {
		if (typeof message === "object" && message !== null && "socket" in message && message.socket instanceof Socket)
			sockets.push(message.socket);
	};
	subscribe("net.client.socket", see);
	ends.push(() => unsubscribe("net.client.socket", see));
	const connection = await connectNats({ servers: `127.0.0.1:${node.port}` });
	const closed = new Promise<void>((resolve) => {
		// The socket has ended its own side by then, and is not closed yet.
		const later = (times: number) => void process.nextTick(() => (times > 0 ? later(times - 1) : act()));
		const act = () => {
			connection.publish("x", "word");
			connection.flush().catch(() => undefined);
			connection.close().then(resolve, resolve);
		};
		sockets.at(-1)?.once("end", () => later(1));
	});
	node.cut();
	await closed;
	// What is emitted last comes when the system has closed the socket.
	await wait(50);
	expect(uncaught).toEqual([]);
});
