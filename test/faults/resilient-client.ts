import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { type ServerFrame, serverFrameSchema } from "@rightseat/protocol/frames/server";
import WebSocket from "ws";
import { type Sign, signsOf } from "./named-state.ts";
import { createPageView, type PageView } from "./page-view.ts";

const PING_EVERY_MS = 2_000;
const PONG_LIMIT_MS = 5_000;
const RECONNECT_MS = 200;
const MAX_SIGNS = 5_000;

/** A client that does what the page does: keeps what it sent until it is acknowledged, reconnects for ever, resumes where it was. */
export interface ResilientClient {
	readonly view: PageView;
	/** Sent now or after the next connect, again and again until it is acknowledged. */
	send(frame: ClientFrame): void;
	/** Client ids that the server has acknowledged. */
	readonly acked: ReadonlySet<string>;
	/** Client ids that the server has refused, with the reason. */
	readonly refused: ReadonlyMap<string, string>;
	readonly unacknowledged: number;
	/** What it was told or noticed about the state of things, the newest 5,000. */
	readonly signs: readonly Sign[];
	readonly connected: boolean;
	/** How many items the inbox has, as it was told last; undefined: not since it connected. */
	readonly inboxCount: number | undefined;
	close(): void;
}

export function createResilientClient(options: {
	url: () => string;
	host: () => string;
	token: string;
	conversationId: string;
	/** Hears of everything that is sent and received, for whoever examines more than what is shown. */
	onFrame?: (said: { sent: ClientFrame } | { received: ServerFrame }) => void;
}): ResilientClient {
	const view = createPageView();
	const outbox = new Map<string, string>();
	const acked = new Set<string>();
	const refused = new Map<string, string>();
	const signs: Sign[] = [];
	const note = (name: string) => {
		signs.push({ at: Date.now(), name });
		if (signs.length > MAX_SIGNS) signs.shift();
	};
	let socket: WebSocket | undefined;
	let open = false;
	let inboxCount: number | undefined;
	let closed = false;
	let retry: NodeJS.Timeout | undefined;
	let lastPong = Date.now();

	const subscribe = () => say({ type: "copilot:subscribe", data: { conversationId: options.conversationId, ...view.position } });
	const say = (frame: ClientFrame) => {
		if (socket?.readyState !== WebSocket.OPEN) return;
		options.onFrame?.({ sent: frame });
		socket.send(JSON.stringify(frame));
	};

	function connect(): void {
		const current = new WebSocket(`${options.url()}/ws`, {
			headers: { host: options.host(), authorization: `Bearer ${options.token}` },
			perMessageDeflate: false,
			handshakeTimeout: PONG_LIMIT_MS,
		});
		socket = current;
		current.on("open", () => {
			open = true;
			inboxCount = undefined;
			lastPong = Date.now();
			subscribe();
			for (const text of outbox.values()) current.send(text);
		});
		current.on("message", (raw) => current === socket && receive(String(raw)));
		current.on("error", () => undefined);
		current.on("close", (code) => {
			if (current !== socket || closed) return;
			if (open) note("lost");
			if (open) note(`close:${code}`);
			open = false;
			retry = setTimeout(connect, RECONNECT_MS);
		});
	}

	function receive(text: string): void {
		lastPong = Date.now();
		const parsed = serverFrameSchema.safeParse(JSON.parse(text));
		if (!parsed.success) {
			note(`unknown frame: ${text.slice(0, 200)}`);
			return;
		}
		const frame = parsed.data;
		options.onFrame?.({ received: frame });
		for (const name of signsOf(frame)) note(name);
		if (frame.type === "inbox:changed") inboxCount = frame.data.count;
		if (frame.type === "copilot:ack" && frame.data.clientMessageId !== undefined) {
			outbox.delete(frame.data.clientMessageId);
			acked.add(frame.data.clientMessageId);
		}
		if (frame.type === "copilot:nack" && frame.data.clientMessageId !== undefined && !frame.data.retryable) {
			outbox.delete(frame.data.clientMessageId);
			refused.set(frame.data.clientMessageId, frame.data.code);
		}
		if (!view.apply(frame)) subscribe();
	}

	const heart = setInterval(() => {
		if (!open) return;
		if (Date.now() - lastPong > PONG_LIMIT_MS + PING_EVERY_MS) socket?.terminate();
		else say({ type: "ping" });
		// A retryable refusal leaves the message here; a busy or full server takes it later.
		for (const text of outbox.values()) if (socket?.readyState === WebSocket.OPEN) socket.send(text);
	}, PING_EVERY_MS);

	connect();
	return {
		view,
		acked,
		refused,
		signs,
		send(frame) {
			const id = frame.type === "copilot:send" || frame.type === "bash:exec" ? frame.data.clientMessageId : undefined;
			if (id !== undefined) outbox.set(id, JSON.stringify(frame));
			say(frame);
		},
		get unacknowledged() {
			return outbox.size;
		},
		get connected() {
			return open;
		},
		get inboxCount() {
			return inboxCount;
		},
		close() {
			closed = true;
			clearInterval(heart);
			clearTimeout(retry);
			socket?.terminate();
		},
	};
}
