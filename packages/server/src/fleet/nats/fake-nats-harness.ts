import { createServer, type Socket } from "node:net";

/** As much of a NATS server as a connection needs: it says hello, answers pings, and carries nothing. */
export interface FakeNats {
	readonly port: number;
	/** The names of whoever is connected. */
	names(): string[];
	/** The names of whoever connected since it started, once for each time. */
	connections(): string[];
	/** Questions to JetStream are answered from now on, or not. */
	setAnswering(isAnswering: boolean): void;
	/** How it stands with the others, as it says from now on of every stream: who leads, and for how long each of them was not heard. */
	setPeers(peers: FakePeers): void;
	/** It says this once, and then again what it said before. */
	setPeersOnce(peers: FakePeers): void;
	/** New connections are taken from now on, or not. */
	setOpen(isOpen: boolean): void;
	/** Logins are refused from now on, or not. */
	setRefusing(isRefusing: boolean): void;
	/** Logins that were refused. */
	refusals(): number;
	/** Messages that were published here, by subject. */
	readonly published: readonly string[];
	/** What was subscribed here, once for each time that it was said. */
	readonly subscribed: readonly string[];
	/** Ends every connection, or those whose name holds this. */
	cut(name?: string): void;
	close(): Promise<void>;
}

/** `leader`: undefined while there is none. */
export interface FakePeers {
	leader: string | undefined;
	silentMs: readonly number[];
}

const TYPE = "io.nats.jetstream.api.v1";
const ACCOUNT = JSON.stringify({ type: `${TYPE}.account_info_response`, memory: 0, storage: 0, streams: 0, consumers: 0 });
function streamInfo({ leader, silentMs }: FakePeers): string {
	const replicas = silentMs.map((ms, place) => ({ name: `n${place + 2}`, current: true, active: ms * 1_000_000 }));
	return JSON.stringify({
		type: `${TYPE}.stream_info_response`,
		config: { name: "S" },
		state: {},
		cluster: { name: "c", leader, replicas },
	});
}

export async function startFakeNats(): Promise<FakeNats> {
	const sockets = new Map<Socket, string>();
	const [published, subscribed, connected]: [string[], string[], string[]] = [[], [], []];
	let [isAnswering, isOpen, isRefusing, refusals] = [true, true, false, 0];
	let peers: FakePeers = { leader: "n1", silentMs: [500, 500] };
	let once: FakePeers | undefined;
	const server = createServer((socket) => {
		if (!isOpen) return void socket.destroy();
		sockets.set(socket, "");
		const subscriptions = new Map<string, string>();
		let waiting = "";
		socket.on("close", () => sockets.delete(socket));
		socket.on("error", () => undefined);
		const info = {
			server_id: "F",
			server_name: "fake",
			version: "2.14.0",
			proto: 1,
			headers: true,
			jetstream: true,
			max_payload: 1_048_576,
		};
		socket.write(`INFO ${JSON.stringify({ ...info, client_id: 1 })}\r\n`);
		socket.on("data", (chunk) => {
			waiting += chunk.toString("latin1");
			for (let end = waiting.indexOf("\r\n"); end >= 0; end = waiting.indexOf("\r\n")) {
				const line = waiting.slice(0, end);
				const [verb = "", subject = "", ...rest] = line.split(" ");
				const size = verb === "PUB" || verb === "HPUB" ? Number(rest.at(-1)) + 2 : 0;
				if (waiting.length < end + 2 + size) return;
				waiting = waiting.slice(end + 2 + size);
				if (verb === "PING") socket.write("PONG\r\n");
				if (verb === "CONNECT") {
					const name = /"name":"([^"]*)"/.exec(line)?.[1] ?? "";
					sockets.set(socket, name);
					connected.push(name);
				}
				if (verb === "CONNECT" && isRefusing) {
					refusals += 1;
					socket.end("-ERR 'Authorization Violation'\r\n");
					return;
				}
				if (verb === "SUB") {
					subscriptions.set(subject, rest.at(-1) ?? "");
					subscribed.push(subject);
				}
				if (size > 0) published.push(subject);
				const asks = size > 0 && isAnswering ? subject : "";
				if (asks === "$JS.API.INFO") answer(ACCOUNT, rest[0] ?? "", subscriptions, socket);
				if (asks.startsWith("$JS.API.STREAM.INFO.")) {
					answer(streamInfo(once ?? peers), rest[0] ?? "", subscriptions, socket);
					once = undefined;
				}
			}
		});
	});
	const port = await new Promise<number>((resolve) =>
		server.listen(0, "127.0.0.1", () => {
			const address = server.address();
			resolve(typeof address === "object" && address !== null ? address.port : 0);
		}),
	);
	return {
		...{ port, published, subscribed },
		names: () => [...sockets.values()],
		connections: () => [...connected],
		setAnswering(next) {
			isAnswering = next;
		},
		setPeers(next) {
			peers = next;
		},
		setPeersOnce(next) {
			once = next;
		},
		setOpen(next) {
			isOpen = next;
		},
		setRefusing(next) {
			isRefusing = next;
		},
		refusals: () => refusals,
		cut(name = "") {
			for (const [socket, known] of sockets) if (known.includes(name)) socket.destroy();
		},
		async close() {
			for (const socket of sockets.keys()) socket.destroy();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
}

/** To whoever subscribed to where the answer is to go. */
function answer(text: string, to: string, subscriptions: ReadonlyMap<string, string>, socket: Socket): void {
	const found = [...subscriptions].find(([subject]) => to === subject || to.startsWith(subject.replace(/\*$/, "")));
	if (found !== undefined) socket.write(`MSG ${to} ${found[1]} ${text.length}\r\n${text}\r\n`);
}
