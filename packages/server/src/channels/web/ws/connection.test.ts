import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { CLOSE_CODES } from "@rightseat/protocol/close-codes";
import { HEARTBEAT_TIMEOUT_MS } from "@rightseat/protocol/limits";
import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createRedactor } from "../../../core/kernel/redact.ts";
import { createConnection } from "./connection.ts";
import { createEncodeOnce } from "./encode-once.ts";
import { textsOf } from "./stuck-socket-harness.ts";

/** One connection over a socket that only writes down what is done with it. */
function connect({ afterCommit = (run: () => void) => run() } = {}) {
	const clock = createFakeClock();
	const written: string[] = [];
	const raw = Object.assign(new PassThrough(), {
		write: (frame: Buffer) => written.push(...textsOf(frame).map((text) => String(JSON.parse(text).type))) > 0,
	});
	const socket: WebSocket = Object.assign(Object.create(WebSocket.prototype), new EventEmitter());
	const happened: string[] = [];
	Object.defineProperties(socket, {
		bufferedAmount: { get: () => 0 },
		readyState: { value: WebSocket.OPEN },
		close: { value: (code: number) => happened.push(`closed ${code}`) },
	});
	const connection = createConnection({
		socket,
		raw,
		identity: { kind: "token" },
		clock,
		logger: silentLogger,
		encode: createEncodeOnce(),
		account: { add: () => undefined },
		redactor: createRedactor([]),
		hello: { type: "hello", data: { protocol: 1, server: "1.0.0", host: "workshop" } },
		afterCommit,
		createRouter: (outbound) => ({
			route(text, send) {
				if (text === "open a terminal") {
					send({ type: "terminal:opened", data: { terminalId: "t", scrollback: "", cols: 80, rows: 24 } });
					outbound.offer(JSON.stringify({ type: "terminal:output", data: { terminalId: "t", data: "$ " } }), () => undefined);
				}
				return happened.push(`read ${text}`) > 0;
			},
			disconnect: () => void happened.push("subscriptions ended"),
		}),
		onGone: () => void happened.push("forgotten"),
	});
	const receive = (text: string) => socket.emit("message", Buffer.from(text), false);
	return { clock, raw, socket, connection, happened, written, receive };
}

test("[WS14] silence ends the subscriptions, forgets the connection and leaves no timer, before its close has come", async () => {
	const { clock, raw, socket, happened, receive } = connect();
	await clock.advance(HEARTBEAT_TIMEOUT_MS);
	expect(happened).toEqual(["subscriptions ended", "forgotten", `closed ${CLOSE_CODES.heartbeat}`]);
	expect(clock.pending()).toBe(0);
	expect(raw.listenerCount("drain")).toBe(0);
	receive('{"type":"ping"}');
	socket.emit("close");
	expect(happened).toHaveLength(3);
});

test("[WS15] any inbound frame restarts the 180 s clock, also one that is not understood", async () => {
	const { clock, happened, receive } = connect();
	for (const text of ['{"type":"copilot:status"}', "not JSON"]) {
		await clock.advance(HEARTBEAT_TIMEOUT_MS - 1);
		receive(text);
	}
	await clock.advance(HEARTBEAT_TIMEOUT_MS - 1);
	expect(happened).toEqual(['read {"type":"copilot:status"}', "read not JSON"]);
});

test("[WS16] outbound frames and protocol-level pings and pongs do not restart the 180 s clock", async () => {
	const { clock, socket, connection, happened } = connect();
	for (let second = 0; second < HEARTBEAT_TIMEOUT_MS / 1_000; second++) {
		connection.sendText('{"type":"copilot:delta"}');
		socket.emit("ping", Buffer.alloc(0));
		socket.emit("pong", Buffer.alloc(0));
		await clock.advance(1_000);
	}
	expect(happened).toContain(`closed ${CLOSE_CODES.heartbeat}`);
});

test("[PG303] on a disk that takes its time a terminal's first output still comes after the frame that opens it", () => {
	const { written, receive } = connect({ afterCommit: () => undefined });
	receive("open a terminal");
	expect(written).toEqual(["hello", "terminal:opened", "terminal:output"]);
});
