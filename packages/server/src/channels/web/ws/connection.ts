import type { Duplex } from "node:stream";
import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import { decodeClientFrame } from "@rightseat/protocol/frames/client";
import { type Echo, echoOf } from "@rightseat/protocol/frames/echo";
import type { AnswerFrame, ReplyFrame } from "@rightseat/protocol/frames/server";
import { HEARTBEAT_TIMEOUT_MS } from "@rightseat/protocol/limits";
import type { RawData, WebSocket } from "ws";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { AppError } from "../../../core/kernel/errors.ts";
import { isolate } from "../../../core/kernel/isolate.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { Redactor } from "../../../core/kernel/redact.ts";
import type { Identity } from "../auth/identity.ts";
import type { EncodeOnce } from "./encode-once.ts";
import { createFrameGuard } from "./frame-guard.ts";
import { answerTo, errorFrame, type OutFrame, type SendFn } from "./frames.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createOutbound, type Outbound } from "./outbound.ts";
import type { Router } from "./router.ts";

/** One open WebSocket. */
export interface Connection {
	readonly identity: Identity;
	/** Text that many connections share. */
	sendText(text: string): void;
	/** Cleans up at once and sends a close frame; a client that does not answer it is terminated. */
	end(code: number, reason: string): void;
	/** Bytes that the client has not taken yet. */
	waitingBytes(): number;
	/** Memory is short and this reader is slow: it is cut off, with what waits for it. */
	cut(): void;
}

export interface ConnectionParts {
	socket: WebSocket;
	raw: Duplex;
	identity: Identity;
	clock: Clock;
	logger: Logger;
	encode: EncodeOnce;
	redactor: Redactor;
	/** Of the sockets of all clients together. */
	account: Pick<MemoryAccount, "add">;
	/** See `SqlDatabase`: runs when everything committed so far survives a power cut. */
	afterCommit(run: () => void, lost: (error: AppError) => void): void;
	/** The first frame that the client gets. */
	hello: ReplyFrame;
	/** Builds this connection's own handlers. */
	createRouter(outbound: Outbound): Router;
	onGone(connection: Connection): void;
}

export function createConnection(parts: ConnectionParts): Connection {
	const { socket, clock } = parts;
	const guard = createFrameGuard(clock);
	const outbound = createOutbound({
		socket,
		raw: parts.raw,
		clock,
		encode: parts.encode,
		logger: parts.logger,
		account: parts.account,
		onSlow: () => end(CLOSE_CODES.slow, "This reader could not keep up."),
	});
	outbound.send(JSON.stringify(parts.hello));
	const heartbeat = createHeartbeat({
		clock,
		timeoutMs: HEARTBEAT_TIMEOUT_MS,
		onSilence: () => end(CLOSE_CODES.heartbeat, "Nothing came for three minutes."),
	});
	const send: SendFn = (frame) => {
		const ofTerminal = frame.type.startsWith("terminal:");
		// A terminal is the person's own screen, live and in its scrollback: it shows what it is told to show, as an ssh session does.
		const text = JSON.stringify(ofTerminal ? frame : parts.redactor.value(frame));
		// An answer may tell of what was just stored. Pongs and refusals tell of nothing, and a slow disk must not look like a dead line.
		// A terminal's output is in no store and goes out at once: its `opened`, which clears the screen, must not come after it.
		const lost = (error: AppError) => outbound.send(CONFIRMS.has(frame.type) ? JSON.stringify(refusalOf(frame, error)) : text);
		if (ofTerminal || TELLS_NOTHING.has(frame.type)) outbound.send(text);
		else parts.afterCommit(() => outbound.send(text), lost);
	};
	const router = parts.createRouter(outbound);
	let gone = false;

	function cleanUp() {
		if (gone) return;
		gone = true;
		heartbeat.stop();
		router.disconnect(send);
		outbound.close();
		parts.onGone(connection);
	}
	function end(code: number, reason: string) {
		cleanUp();
		socket.close(code, reason);
	}
	function receive(data: RawData, isBinary: boolean) {
		if (gone) return;
		heartbeat.restart();
		const verdict = guard.arrive();
		if (verdict === "close") return end(CLOSE_CODES.rateLimited, "Too many frames.");
		if (verdict === "refuse") {
			return send(
				errorFrame(
					{ code: "rate-limited", message: "Too many frames. This one was not carried out; slow down.", params: { reason: "frames" } },
					echoOfSmall(data),
				),
			);
		}
		const understood = isBinary ? refuseBinary() : router.route(textOf(data), send);
		if (!understood && !guard.tolerate()) end(CLOSE_CODES.policy, "Too many frames that could not be understood.");
	}
	function refuseBinary(): boolean {
		send(errorFrame({ code: "bad-frame", message: "Send text frames with JSON." }));
		return false;
	}

	socket.on("message", isolate(parts.logger, "frame", receive));
	socket.on("close", isolate(parts.logger, "socket closed", cleanUp));
	socket.on("error", (error) => parts.logger.debug({ err: error.message }, "A WebSocket failed"));

	const connection: Connection = {
		identity: parts.identity,
		sendText: (text) => outbound.send(text),
		end,
		waitingBytes: outbound.waitingBytes,
		cut() {
			end(CLOSE_CODES.slow, "This reader could not keep up.");
			// Not after a closing handshake: its buffer is what is needed now.
			parts.raw.destroy();
		},
	};
	return connection;
}

/** Reading a large frame only to refuse it would cost what the limit is to save. */
const MAX_ECHOED_BYTES = 4_096;

function echoOfSmall(data: RawData): Echo | undefined {
	const bytes = Array.isArray(data) ? data.reduce((sum, part) => sum + part.length, 0) : data.byteLength;
	if (bytes > MAX_ECHOED_BYTES) return undefined;
	const decoded = decodeClientFrame(textOf(data));
	return decoded.ok ? echoOf(decoded.frame) : decoded.echo;
}

const TELLS_NOTHING: ReadonlySet<string> = new Set(["pong", "error", "copilot:nack"]);
/** After a failed sync nothing is confirmed any more; what only tells of what runs goes out all the same. */
const CONFIRMS: ReadonlySet<string> = new Set(["copilot:ack", "done"]);

/** In the place of a confirmation: the disk failed before what it confirms was durable, or before it was asked. */
function refusalOf(frame: OutFrame, { code, message, params }: AppError): AnswerFrame {
	if (frame.type !== "copilot:ack")
		return errorFrame({ code, message, params }, "requestId" in frame ? { requestId: frame.requestId, ids: {} } : undefined);
	const { conversationId, clientMessageId } = frame.data;
	return answerTo(frame, { type: "copilot:nack", data: { conversationId, clientMessageId, code, message, params, retryable: true } });
}

function textOf(data: RawData): string {
	if (Array.isArray(data)) return Buffer.concat(data).toString("utf8");
	return Buffer.isBuffer(data) ? data.toString("utf8") : Buffer.from(data).toString("utf8");
}
