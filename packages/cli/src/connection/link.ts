import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import { type DecodedServerFrame, decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import { WebSocket } from "ws";
import type { FoundServer } from "../find-server/find-server.ts";
import { ProtocolError, RefusedError, UnreachableError } from "./api.ts";

/** A larger frame is none of this protocol's. */
const MAX_FRAME_FROM_SERVER_BYTES = 16 * 1024 * 1024;
/** Without a word for this long the line is asked whether it lives. */
const PING_AFTER_MS = 10_000;
/** However much arrives, the server wants to hear from us. */
const KEEPALIVE_MS = 60_000;
const PONG_LIMIT_MS = 10_000;
const OPEN_LIMIT_MS = 15_000;
const BACKOFF_FIRST_MS = 100;
const BACKOFF_MAX_MS = 5_000;
/** A line that stays away for so long is given up. */
const GIVE_UP_MS = 300_000;

/** A connection that comes back by itself. Frames sent while it is away are refused: whoever needs them kept keeps them. */
export interface Link {
	/** False: not connected. */
	send(frame: ClientFrame): boolean;
	/** Stops reading: the server holds back what follows, and catches us up later. */
	pause(): void;
	resume(): void;
	close(): void;
}

export interface LinkEvents {
	/** The server has said hello, for the first time or again. */
	onOpen(): void;
	onFrame(frame: DecodedServerFrame, text: string): void;
	onLost(): void;
	/** For good: RefusedError, UnreachableError or ProtocolError. */
	onFailed(error: Error): void;
}

export function createLink(server: FoundServer, events: LinkEvents, giveUpMs = GIVE_UP_MS): Link {
	let socket: WebSocket | undefined;
	let state: "connecting" | "open" | "waiting" | "closed" = "connecting";
	let hasBeenOpen = false;
	let [failures, lostAt] = [0, performance.now()];
	let [heardAt, saidAt] = [0, 0];
	let isPaused = false;
	let timer: NodeJS.Timeout | undefined;
	const ticking = setInterval(tick, 1_000);

	function connect(): void {
		state = "connecting";
		const opening = openSocket(server);
		socket = opening;
		heardAt = performance.now();
		let failure: Error | undefined;
		opening.on("message", (data) => socket === opening && receive(String(data)));
		opening.on("unexpected-response", (_, response) => {
			response.resume();
			failure = refusalOf(response.statusCode ?? 0);
			opening.terminate();
		});
		opening.on("error", (error) => {
			const code = "code" in error ? String(error.code) : "";
			// Nobody there at the first try: a person mistyped, or forgot to start it. Later it may be a restart.
			if (!hasBeenOpen && !/ECONNRESET|EPIPE|ETIMEDOUT/.test(code) && code !== "") failure ??= new UnreachableError("no-answer", code);
		});
		opening.on("close", (code) => {
			if (socket !== opening) return;
			if (code === CLOSE_CODES.unauthorized) failure = new RefusedError(401, { code: "unauthorized", message: "This login has ended." });
			if (failure !== undefined) fail(failure);
			else lose(code);
		});
	}

	function receive(text: string) {
		heardAt = performance.now();
		const decoded = decodeServerFrame(text);
		if (state === "open") return events.onFrame(decoded, text);
		if (decoded.kind !== "frame" || decoded.frame.type !== "hello") return fail(new UnreachableError("not-ours", "It did not say hello."));
		const { protocol } = decoded.frame.data;
		if (protocol !== PROTOCOL_VERSION) return fail(new ProtocolError(protocol > PROTOCOL_VERSION ? "server" : "client"));
		state = "open";
		hasBeenOpen = true;
		saidAt = heardAt;
		failures = 0;
		events.onOpen();
	}

	function lose(code: number) {
		const wasOpen = state === "open";
		socket = undefined;
		const now = performance.now();
		if (wasOpen) {
			lostAt = now;
			events.onLost();
		}
		if (state === "closed") return;
		if (now - lostAt > giveUpMs) return fail(new UnreachableError("no-answer", "The line stayed away."));
		state = "waiting";
		const least = code === CLOSE_CODES.policy || code === CLOSE_CODES.rateLimited ? BACKOFF_MAX_MS : 0;
		const backoff = Math.min(BACKOFF_MAX_MS, BACKOFF_FIRST_MS * 2 ** failures) * (0.5 + Math.random() / 2);
		timer = setTimeout(connect, Math.max(least, wasOpen ? 0 : backoff));
		failures = Math.min(10, failures + 1);
	}

	function fail(error: Error): void {
		close();
		events.onFailed(error);
	}

	function tick() {
		const now = performance.now();
		const quiet = isPaused ? 0 : now - heardAt;
		const limit = state === "open" ? PING_AFTER_MS + PONG_LIMIT_MS : OPEN_LIMIT_MS;
		if ((state === "open" || state === "connecting") && quiet > limit) return socket?.terminate();
		const isDue = quiet > PING_AFTER_MS || now - saidAt > KEEPALIVE_MS;
		if (state === "open" && isDue && now - saidAt > 1_000) link.send({ type: "ping" });
	}

	function close(): void {
		state = "closed";
		clearInterval(ticking);
		clearTimeout(timer);
		const open = socket;
		socket = undefined;
		open?.on("error", () => undefined);
		open?.close();
		// A peer that does not answer the goodbye must not hold the process.
		setTimeout(() => open?.terminate(), 500).unref();
	}

	const link: Link = {
		send(frame) {
			if (state !== "open" || socket?.readyState !== WebSocket.OPEN) return false;
			saidAt = performance.now();
			socket.send(JSON.stringify(frame));
			return true;
		},
		pause() {
			isPaused = true;
			socket?.pause();
		},
		resume() {
			isPaused = false;
			heardAt = performance.now();
			socket?.resume();
		},
		close,
	};
	connect();
	return link;
}

function openSocket({ url, token, isOwn }: FoundServer): WebSocket {
	return new WebSocket(`${url.replace(/^http/, "ws")}/ws`, {
		headers: { authorization: `Bearer ${token}` },
		handshakeTimeout: OPEN_LIMIT_MS,
		maxPayload: MAX_FRAME_FROM_SERVER_BYTES,
		perMessageDeflate: false,
		...(isOwn ? { rejectUnauthorized: false } : {}),
	});
}

/** Why an upgrade was refused, if it will be again; undefined: the server is busy. */
function refusalOf(status: number): Error | undefined {
	if (status === 401 || status === 403) return new RefusedError(status, { code: "unauthorized", message: "This token was refused." });
	return status === 429 || status >= 500 ? undefined : new UnreachableError("not-ours", `HTTP ${status}`);
}
