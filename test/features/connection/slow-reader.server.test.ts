import { type Socket, connect as tcpConnect } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { STUCK_MS } from "../../../packages/server/src/channels/web/ws/outbound.ts";
import { type Clock, systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { ConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createWebBed, type TestSocket, type WebBed } from "../../support/ws-harness.ts";

/** Nobody is given up for being stuck: on a busy machine the flood takes longer than that limit, which has a test of its own. */
const patientClock: Clock = {
	...systemClock,
	after: (delayMs, run) => (delayMs === STUCK_MS ? () => undefined : systemClock.after(delayMs, run)),
};

let bed: WebBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createWebBed({ clock: patientClock });
	id = await bed.begin();
});
afterEach(() => bed.close());

const CHUNK = "x".repeat(16_000);
const CHUNKS_PER_TURN = 200;

/** Whole turns of 3 MB each, in step with a reader that takes everything, so that it is the other one that falls behind. */
async function flood(reader: TestSocket, turns: number) {
	for (let i = 0; i < turns; i += 1) {
		reader.send({ type: "copilot:send", data: { conversationId: id, prompt: `flood ${i}` } });
		const turn = await bed.runtime.nextTurn();
		let received = 0;
		for (let j = 0; j < CHUNKS_PER_TURN; j += 1) {
			turn.text(CHUNK, `m${i}`);
			while (received < j * CHUNK.length) received += String((await reader.next("copilot:delta")).data.content).length;
		}
		turn.end();
		await reader.next("copilot:idle");
	}
}

test("[WS22] a reader that reads nothing costs the others nothing, the server little, and catches up when it reads again", async () => {
	const slow = await bed.connect();
	slow.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await slow.next("copilot:snapshot");
	slow.ws.pause();
	const reader = await bed.connect();
	reader.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await reader.next("copilot:snapshot");
	globalThis.gc?.();
	const before = process.memoryUsage().rss;
	await flood(reader, 5);
	expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
	slow.ws.resume();
	// Behind by many megabytes: told so, given the whole conversation as it stands, and nothing twice.
	const status = await slow.next("copilot:stream-status", (data) => data.headSeq !== undefined && data.headSeq !== 0);
	const head = bed.conversations.get(id).headSeq;
	if (status.data.mode === "snapshot") {
		const snapshot = await slow.next("copilot:snapshot", (data) => data.seq !== 0);
		expect(Number(snapshot.data.seq)).toBe(head);
		expect(slow.frames.filter((frame) => frame.type === "copilot:delta").length).toBeLessThan(500);
	} else {
		await slow.next("copilot:idle", (data) => data.seq === head);
		const seqs = slow.frames
			.filter((frame) => frame.data?.seq !== undefined && frame.type !== "copilot:snapshot")
			.map((frame) => frame.data.seq);
		expect(seqs).toEqual(seqs.map((_, index) => index + 1));
	}
});

test("[WS24] answers reach a reader that is behind, before any more of the stream", async () => {
	const slow = await bed.connect();
	slow.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await slow.next("copilot:snapshot");
	slow.ws.pause();
	const reader = await bed.connect();
	await flood(reader, 4);
	slow.send({ type: "ping" });
	slow.ws.resume();
	await slow.next("pong");
	const caughtUp = slow.frames.findIndex((frame) => frame.type === "copilot:stream-status" && Number(frame.data.headSeq) > 0);
	const pong = slow.frames.findIndex((frame) => frame.type === "pong");
	expect(caughtUp === -1 || pong < caughtUp).toBe(true);
});

test("[WS23] a reader that lets far too much pile up is ended", async () => {
	const raw = await rawSocket();
	// Nothing is read any more; answers are the only frames that are always sent.
	raw.pause();
	const many = Array.from({ length: 200 }, (_, index) => bed.conversations.create({ title: `${index}${"t".repeat(190)}` }));
	await Promise.all(many);
	const gone = new Promise<void>((resolve) => raw.once("close", () => resolve()));
	const big = JSON.stringify({ filler: "y".repeat(64_000) });
	for (let i = 0; i < 400; i += 1) bed.channel.broadcast({ type: "app:status", data: { runtime: big, storage: {} } });
	raw.resume();
	await gone;
	const other = await bed.connect();
	other.send({ type: "ping" });
	await other.next("pong");
});

/** A WebSocket by hand, so that nothing reads behind the test's back. */
async function rawSocket(): Promise<Socket> {
	const socket = tcpConnect(bed.port, "127.0.0.1");
	socket.write(
		[
			"GET /ws HTTP/1.1",
			`Host: 127.0.0.1:${bed.port}`,
			"Connection: Upgrade",
			"Upgrade: websocket",
			"Sec-WebSocket-Version: 13",
			"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
			`Authorization: Bearer ${bed.token}`,
			"\r\n",
		].join("\r\n"),
	);
	const answer = await new Promise<string>((resolve) => socket.once("data", (data) => resolve(String(data))));
	expect(answer).toContain("101");
	return socket;
}
