import { Duplex } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { createFakeClock, type FakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createEncodeOnce } from "./encode-once.ts";
import { createOutbound, HARD_LIMIT_BYTES, type Outbound, SOFT_LIMIT_BYTES, STUCK_MS } from "./outbound.ts";
import { stuckSocket, textsOf } from "./stuck-socket-harness.ts";

let clock: FakeClock;
let peer: ReturnType<typeof stuckSocket>;
let outbound: Outbound;
let slow: number;
beforeEach(() => {
	clock = createFakeClock();
	peer = stuckSocket();
	slow = 0;
	outbound = createOutbound({
		logger: silentLogger,
		socket: peer.socket,
		raw: peer.raw,
		clock,
		encode: createEncodeOnce(),
		account: { add: () => undefined },
		onSlow: () => {
			slow += 1;
		},
	});
});
const chunk = "x".repeat(100_000);
const fill = (catchUp: () => void) => {
	while (outbound.offer(chunk, catchUp)) expect(peer.sent.length).toBeLessThan(100);
};

test("[WS22] above the soft limit offers are refused and nothing is queued; one catch-up follows when all was taken", () => {
	let caughtUp = 0;
	const catchUp = () => {
		caughtUp += 1;
	};
	fill(catchUp);
	const sent = peer.sent.length;
	expect(sent * chunk.length).toBeLessThanOrEqual(SOFT_LIMIT_BYTES + chunk.length);
	for (let i = 0; i < 1_000; i += 1) expect(outbound.offer(chunk, catchUp)).toBe(false);
	expect(peer.sent.length).toBe(sent);
	peer.take(SOFT_LIMIT_BYTES / 2);
	expect(caughtUp).toBe(0);
	peer.take(SOFT_LIMIT_BYTES * 2);
	expect(caughtUp).toBe(1);
	expect(outbound.offer("more", catchUp)).toBe(true);
});

test("[WS350] of frames that are sent in one go the first leaves at once, the others in few writes and in order, before the loop turns", async () => {
	const writes: string[][] = [];
	const raw = new Duplex({
		read: () => undefined,
		write: (data: Buffer, _, done) => {
			writes.push(textsOf(data));
			done();
		},
		writev: (data, done) => {
			writes.push(data.flatMap(({ chunk: part }) => textsOf(part)));
			done();
		},
	});
	const parts = { logger: silentLogger, clock, encode: createEncodeOnce(), account: { add: () => undefined }, onSlow: () => undefined };
	const { offer, close } = createOutbound({ ...parts, socket: peer.socket, raw });
	const loopTurns = () => new Promise((resolve) => setImmediate(resolve));
	for (let index = 0; index < 4; index += 1) offer(`frame ${index};`, () => undefined);
	expect(writes).toEqual([["frame 0;"]]);
	await Promise.resolve();
	await new Promise((resolve) => process.nextTick(resolve));
	expect(writes.splice(0)).toEqual([["frame 0;"], ["frame 1;", "frame 2;", "frame 3;"]]);
	await loopTurns();
	offer("next turn;", () => undefined);
	expect(writes.splice(0)).toEqual([["next turn;"]]);
	const big = "y".repeat(10_000);
	for (let index = 0; index < 13; index += 1) offer(`${big}${index}`, () => undefined);
	// Much at once does not wait until all of it is there.
	expect(writes.map((texts) => texts.join("").length)).toEqual([70_007]);
	close();
});

test("[WS24] answers are sent even then", () => {
	fill(() => undefined);
	outbound.send("answer");
	expect(peer.sent.at(-1)).toBe("answer");
});

test("[WS22] whoever falls behind again while catching up lets the others wait for the next time", () => {
	const order: string[] = [];
	const first = () => {
		order.push("first");
		fill(first);
	};
	const second = () => void order.push("second");
	fill(first);
	outbound.offer(chunk, second);
	peer.take(HARD_LIMIT_BYTES);
	expect(order).toEqual(["first"]);
	outbound.forget(first);
	peer.take(HARD_LIMIT_BYTES);
	expect(order).toEqual(["first", "second"]);
});

test("[EV114] a snapshot larger than every limit is sent whole; what follows waits until it was taken, and nobody is given up for it", async () => {
	const order: string[] = [];
	outbound.deliver("s".repeat(2 * HARD_LIMIT_BYTES));
	expect(outbound.behind()).toBe(true);
	outbound.send("an answer meanwhile");
	expect(outbound.offer("an event", () => order.push("events"))).toBe(false);
	outbound.later(() => {
		order.push("another conversation");
		outbound.deliver("t".repeat(2 * SOFT_LIMIT_BYTES));
	});
	outbound.later(() => order.push("a third"));
	await clock.advance(STUCK_MS - 1);
	peer.take(1_000);
	await clock.advance(STUCK_MS);
	expect([slow, order]).toEqual([0, []]);
	peer.take(3 * HARD_LIMIT_BYTES);
	expect(order).toEqual(["events", "another conversation"]);
	peer.take(3 * HARD_LIMIT_BYTES);
	expect([slow, order, outbound.behind()]).toEqual([0, ["events", "another conversation", "a third"], false]);
});

test("[EV222] a reader that takes nothing of a snapshot is given up after 30 s", async () => {
	outbound.deliver("s".repeat(2 * SOFT_LIMIT_BYTES));
	await clock.advance(STUCK_MS);
	expect(slow).toBe(1);
});

test("[WS23] a reader without any progress for 30 s is given up, one with progress is not", async () => {
	fill(() => undefined);
	await clock.advance(STUCK_MS - 1);
	peer.take(1_000);
	await clock.advance(1);
	expect(slow).toBe(0);
	await clock.advance(STUCK_MS);
	expect(slow).toBe(1);
});

test("[WS23] a reader over the hard limit is given up at once and gets nothing more", () => {
	while (slow === 0) outbound.send(chunk);
	expect(peer.sent.length * chunk.length).toBeLessThanOrEqual(HARD_LIMIT_BYTES + chunk.length);
	const sent = peer.sent.length;
	outbound.send("late");
	expect(peer.sent.length).toBe(sent);
	expect(slow).toBe(1);
});

test("[WS23] a closed connection leaves no timer and no listener behind", () => {
	fill(() => undefined);
	outbound.close();
	expect(clock.pending()).toBe(0);
	expect(peer.raw.listenerCount("drain")).toBe(0);
});

test("[WS575] a text of any length is one frame that a WebSocket client reads whole", async () => {
	const server = new WebSocketServer({ port: 0, perMessageDeflate: false });
	const texts = [0, 1, 125, 126, 65_535, 65_536, 200_000].map((length) => "x".repeat(length));
	texts.push("計畫 🎈".repeat(20), "計".repeat(21_845));
	server.on("connection", (socket, request) => {
		const parts = { logger: silentLogger, clock, encode: createEncodeOnce(), account: { add: () => undefined }, onSlow: () => undefined };
		const { send } = createOutbound({ ...parts, socket, raw: request.socket });
		for (const text of texts) send(text);
		// Frames of ws itself go between them, and end what is sent.
		socket.ping();
		send("after a ping");
		socket.close(1000, "over");
		send("too late");
	});
	const address = server.address();
	const client = new WebSocket(`ws://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}`);
	const got: string[] = [];
	client.on("message", (data) => got.push(String(data)));
	const [code] = await new Promise<[number]>((resolve, reject) => client.on("close", (ended) => resolve([ended])).on("error", reject));
	server.close();
	expect(code).toBe(1000);
	expect(got).toEqual([...texts, "after a ping"]);
});

test("[WS575] what comes for a socket that is closing is counted nowhere", () => {
	const closing: typeof peer.socket = Object.create(peer.socket, { readyState: { value: WebSocket.CLOSING } });
	let counted = 0;
	const account = {
		add: (bytes: number) => {
			counted += bytes;
		},
	};
	const parts = { logger: silentLogger, clock, encode: createEncodeOnce(), account, onSlow: () => undefined };
	const { send, deliver, waitingBytes } = createOutbound({ ...parts, socket: closing, raw: peer.raw });
	send("an answer");
	deliver("a snapshot");
	expect([peer.sent, counted, waitingBytes()]).toEqual([[], 0, 0]);
});
