import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { type ServerFrame, type ServerFrameOf, serverFrameSchema } from "@rightseat/protocol/frames/server";
import WebSocket from "ws";
import { createSeqChecker } from "./seq-checker.ts";

export interface WsClientOptions {
	/** The server's address, `http://…`. */
	url: string;
	/** Connects here instead, for a fault proxy; the headers still name the server. */
	via?: string;
	token?: string;
	cookie?: string;
	headers?: Record<string, string>;
	/** How long `waitFor` waits unless told otherwise. */
	timeoutMs?: number;
}

/** A strict client: a frame that the protocol does not know, or a gap in `seq`, fails the next call. */
export interface WsClient {
	/** Everything received, in order. */
	readonly frames: readonly ServerFrame[];
	readonly isOpen: boolean;
	send(frame: ClientFrame): void;
	sendRaw(text: string): void;
	/** The first frame of this type that satisfies `where`, among those received from `from` on (0: all) and those to come. */
	waitFor<T extends ServerFrame["type"]>(
		type: T,
		where?: (frame: ServerFrameOf<T>) => boolean,
		options?: WaitOptions,
	): Promise<ServerFrameOf<T>>;
	/** The same among frames that come after this call. */
	next<T extends ServerFrame["type"]>(type: T, where?: (frame: ServerFrameOf<T>) => boolean): Promise<ServerFrameOf<T>>;
	all<T extends ServerFrame["type"]>(type: T): ServerFrameOf<T>[];
	/** Sends a ping and waits for its pong: everything sent before has been answered or queued. */
	roundTrip(): Promise<void>;
	readonly closed: Promise<{ code: number; reason: string }>;
	close(): Promise<void>;
	/** Cuts the connection without saying goodbye. */
	terminate(): void;
	/** Stops and goes on reading from the socket. */
	pause(): void;
	resume(): void;
}
export interface WaitOptions {
	from?: number;
	timeoutMs?: number;
}

export function connectWs(options: WsClientOptions): Promise<WsClient> {
	const server = new URL(options.url);
	const target = new URL("/ws", options.via ?? options.url);
	target.protocol = target.protocol === "https:" ? "wss:" : "ws:";
	const headers: Record<string, string> = { host: server.host, origin: server.origin };
	if (options.token !== undefined) headers.authorization = `Bearer ${options.token}`;
	if (options.cookie !== undefined) headers.cookie = options.cookie;
	const socket = new WebSocket(target, { headers: { ...headers, ...options.headers }, perMessageDeflate: false });

	return new Promise((resolve, reject) => {
		const client = createClient(socket, options.timeoutMs ?? 30_000);
		socket.once("open", () => resolve(client));
		socket.once("error", reject);
		socket.once("unexpected-response", (_, response) => reject(new Error(`The upgrade was refused with ${response.statusCode}`)));
	});
}

function createClient(socket: WebSocket, defaultTimeoutMs: number): WsClient {
	const frames: ServerFrame[] = [];
	const waiters = new Set<() => void>();
	const seq = createSeqChecker();
	let broken: Error | undefined;

	socket.on("message", (raw) => {
		const frame = decode(String(raw));
		if (frame instanceof Error) broken ??= frame;
		else {
			frames.push(frame);
			const gap = seq.received(frame);
			if (gap !== undefined) broken ??= new Error(gap);
		}
		wake();
	});
	socket.on("error", () => undefined);
	const wake = () => {
		for (const look of [...waiters]) look();
	};
	let end: { code: number; reason: string } | undefined;
	const closed = new Promise<{ code: number; reason: string }>((resolve) => {
		socket.on("close", (code, reason) => {
			end = { code, reason: reason.toString() };
			resolve(end);
			wake();
		});
	});

	const waitFor: WsClient["waitFor"] = (type, where = () => true, { from = 0, timeoutMs = defaultTimeoutMs } = {}) =>
		new Promise((resolve, reject) => {
			let index = from;
			const settle = (act: () => void) => {
				waiters.delete(look);
				clearTimeout(timer);
				act();
			};
			const look = () => {
				for (; index < frames.length; index += 1) {
					const frame = frames[index];
					if (frame !== undefined && isType(frame, type) && where(frame)) {
						return settle(() => (broken === undefined ? resolve(frame) : reject(broken)));
					}
				}
				if (broken !== undefined) settle(() => reject(broken));
				else if (end !== undefined)
					settle(() => reject(new Error(`Closed with ${end?.code} while waiting for ${type}. ${story(frames, from)}`)));
			};
			const timer = setTimeout(
				() => settle(() => reject(new Error(`No ${type} within ${timeoutMs} ms. ${story(frames, from)}`))),
				timeoutMs,
			);
			waiters.add(look);
			look();
		});

	const client: WsClient = {
		frames,
		get isOpen() {
			return socket.readyState === WebSocket.OPEN;
		},
		send(frame) {
			seq.sent(frame);
			socket.send(JSON.stringify(frame));
		},
		sendRaw: (text) => socket.send(text),
		waitFor,
		next: (type, where) => waitFor(type, where, { from: frames.length }),
		all: (type) => frames.filter((frame) => isType(frame, type)),
		async roundTrip() {
			const pong = client.next("pong");
			client.send({ type: "ping" });
			await pong;
		},
		closed,
		async close() {
			socket.close();
			await closed;
			if (broken !== undefined) throw broken;
		},
		terminate: () => socket.terminate(),
		pause: () => socket.pause(),
		resume: () => socket.resume(),
	};
	return client;
}

function decode(raw: string): ServerFrame | Error {
	const parsed = serverFrameSchema.safeParse(JSON.parse(raw));
	if (parsed.success) return parsed.data;
	const issue = parsed.error.issues.map((found) => `${found.path.join(".")}: ${found.message}`).join("; ");
	return new Error(`A frame that the protocol does not know (${issue}): ${raw.slice(0, 500)}`);
}

function isType<T extends ServerFrame["type"]>(frame: ServerFrame, type: T): frame is ServerFrameOf<T> {
	return frame.type === type;
}

function story(frames: readonly ServerFrame[], from: number): string {
	const types = frames.slice(from).map((frame) => frame.type);
	const runs: [string, number][] = [];
	for (const type of types) {
		const last = runs.at(-1);
		if (last?.[0] === type) last[1] += 1;
		else runs.push([type, 1]);
	}
	const told = runs.slice(-30).map(([type, count]) => (count === 1 ? type : `${type} ×${count}`));
	const last = frames.at(-1);
	return `Received since: ${told.join(", ") || "nothing"}.${last === undefined ? "" : ` Last: ${JSON.stringify(last).slice(0, 400)}`}`;
}
