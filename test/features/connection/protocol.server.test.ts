import { hostname } from "node:os";
import { CLIENT_FRAME_TYPES } from "@rightseat/protocol/frames/client";
import { MAX_FRAME_BYTES, MAX_PROMPT_CHARS } from "@rightseat/protocol/limits";
import { PROTOCOL_VERSION } from "@rightseat/protocol/version";
import { afterEach, beforeEach, expect, test } from "vitest";
import { FRAME_BURST } from "../../../packages/server/src/channels/web/ws/frame-guard.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createWebBed, sampleData, type TestSocket, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let socket: TestSocket;
beforeEach(async () => {
	bed = await createWebBed();
	socket = await bed.connect();
});
afterEach(() => bed.close());

const answers = (requestId: string) => socket.frames.filter((frame) => frame.requestId === requestId);
/** Everything sent before has been answered. */
async function settled() {
	socket.send({ type: "ping", requestId: "settled" });
	await socket.next("pong");
}

test("[WS100] the first frame on every socket says which protocol, which server and which machine", async () => {
	const other = await bed.connect();
	await bed.begin();
	await other.next("conversation:created");
	const hello = { type: "hello", data: { protocol: PROTOCOL_VERSION, server: "0.0.0-test", host: hostname() } };
	expect(other.frames[0]).toEqual(hello);
	expect(await (await bed.api("/api/status")).json()).toMatchObject({
		protocol: PROTOCOL_VERSION,
		version: "0.0.0-test",
		host: hostname(),
	});
});

test("[WS101] the answer to a frame carries its requestId; events never do", async () => {
	const id = await bed.begin();
	socket.send({ type: "copilot:subscribe", requestId: "sub", data: { conversationId: id } });
	socket.send({ type: "copilot:send", requestId: "send", data: { conversationId: id, prompt: "Hello" } });
	socket.send({ type: "bash:exec", requestId: "exec", data: { conversationId: id, command: "ls" } });
	socket.send({ type: "copilot:send", requestId: "empty", data: { conversationId: id, prompt: "" } });
	socket.send({ type: "copilot:status", requestId: "status" });
	socket.send({ type: "bash:jobs", requestId: "jobs" });
	socket.send({ type: "terminal:open", requestId: "term", data: { terminalId: "t", cols: 80, rows: 24 } });
	await socket.next("terminal:opened");
	await settled();
	const answered = Object.fromEntries(
		["sub", "send", "exec", "empty", "status", "jobs", "term", "settled"].map((name) => [name, answers(name).map(({ type }) => type)]),
	);
	expect(answered).toEqual({
		sub: ["copilot:stream-status", "copilot:snapshot"],
		send: ["copilot:ack"],
		exec: ["copilot:ack"],
		empty: ["copilot:nack"],
		status: ["copilot:active-streams"],
		jobs: ["bash:jobs"],
		term: ["terminal:opened"],
		settled: ["pong"],
	});
	expect(
		socket.frames.filter((frame) => frame.data?.seq !== undefined && frame.type !== "copilot:snapshot" && "requestId" in frame),
	).toEqual([]);
});

test("[WS102] what has no answer of its own is answered with done, if it was given a requestId", async () => {
	const id = await bed.begin();
	socket.send({ type: "copilot:unsubscribe", requestId: "off", data: { conversationId: id } });
	socket.send({ type: "bash:restart", requestId: "again", data: { conversationId: id } });
	socket.send({ type: "presence:set", data: { visible: true } });
	await settled();
	expect(socket.frames.filter(({ type }) => type === "done")).toEqual([
		{ type: "done", requestId: "off" },
		{ type: "done", requestId: "again" },
	]);
});

test("[WS103] whatever a frame asks for, its refusal says which frame it was", async () => {
	for (const type of CLIENT_FRAME_TYPES) socket.send(JSON.stringify({ type, requestId: `of ${type}`, data: sampleData(type) }));
	for (const conversationId of ["no-1", "no-2"]) socket.send({ type: "copilot:subscribe", data: { conversationId } });
	socket.send('{"type":"no:such","requestId":"new","data":{"conversationId":"no-3"}}');
	socket.send('{"type":"copilot:send","requestId":"bad","data":{"conversationId":"no-4","clientMessageId":"m4","prompt":1}}');
	await expect.poll(() => [...CLIENT_FRAME_TYPES].filter((type) => answers(`of ${type}`).length === 0)).toEqual([]);
	await settled();
	const subscribes = socket.frames.filter(({ type, data }) => type === "error" && String(data.conversationId).startsWith("no-"));
	expect(subscribes).toMatchObject([
		{ data: { requestType: "copilot:subscribe", conversationId: "no-1" } },
		{ data: { requestType: "copilot:subscribe", conversationId: "no-2" } },
		{ requestId: "new", data: { code: "unknown-type", requestType: "no:such", conversationId: "no-3" } },
		{ requestId: "bad", data: { code: "bad-frame", requestType: "copilot:send", conversationId: "no-4", clientMessageId: "m4" } },
	]);
	expect(answers("of copilot:queue_drop")).toMatchObject([{ type: "error", data: { conversationId: "none", messageId: "m" } }]);
	expect(answers("of terminal:open")).toMatchObject([{ type: "error", data: { terminalId: "t" } }]);
	expect(answers("of bash:kill")).toMatchObject([{ type: "error", data: { execId: "e" } }]);
});

test("[WS230] a requestId that is too long is refused, and not repeated", async () => {
	socket.send(JSON.stringify({ type: "ping", requestId: "x".repeat(129) }));
	expect(await socket.next("error")).toEqual({ type: "error", data: expect.objectContaining({ code: "bad-frame", requestType: "ping" }) });
});

test("[WS103] a frame over the rate is named in its refusal, if it is small", async () => {
	const still = await createWebBed({ clock: createFakeClock() });
	const flood = await still.connect();
	for (let i = 0; i < FRAME_BURST; i += 1) flood.send({ type: "ping" });
	flood.send({ type: "copilot:abort", requestId: "late", data: { conversationId: "c9" } });
	expect(await flood.next("error")).toMatchObject({ requestId: "late", data: { code: "rate-limited", conversationId: "c9" } });
	await still.close();
});

test("[WS104] fields that the server does not know are ignored, wherever they stand", async () => {
	const conversationId = await bed.begin();
	socket.send(JSON.stringify({ type: "copilot:send", trace: 1, data: { conversationId, prompt: "Hello", colour: "red" } }));
	expect((await socket.next("copilot:ack")).data).toMatchObject({ conversationId });
});

test("[WS107] what a prompt or a command changes is told before it is confirmed", async () => {
	const id = await bed.begin();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "Hello", clientMessageId: "m1" } });
	await socket.next("copilot:ack");
	socket.send({ type: "bash:exec", data: { conversationId: id, command: "ls", clientMessageId: "m2" } });
	await socket.next("copilot:ack");
	const order = socket.frames
		.map(({ type }) => type)
		.filter((type) => ["copilot:user_message", "bash:start", "copilot:ack"].includes(type));
	expect(order).toEqual(["copilot:user_message", "copilot:ack", "bash:start", "copilot:ack"]);
});

test("[WS108] the longest prompt fits a frame in any script and spelling; what is too long is refused by its id", async () => {
	const conversationId = await bed.begin();
	const longest = "漢".repeat(MAX_PROMPT_CHARS);
	const send = (prompt: string, clientMessageId: string) =>
		JSON.stringify({ type: "copilot:send", data: { conversationId, prompt, clientMessageId } });
	const escaped = send(longest, "escaped").replaceAll("漢", "\\u6f22");
	expect(escaped.length).toBeLessThan(MAX_FRAME_BYTES);
	socket.send(send(longest, "plain"));
	expect((await socket.next("copilot:ack")).data.clientMessageId).toBe("plain");
	socket.send(escaped);
	expect((await socket.next("copilot:ack")).data.clientMessageId).toBe("escaped");
	socket.send(send(`${longest}漢`, "more"));
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "more", code: "too-large", retryable: false });
	socket.send({ type: "bash:exec", data: { conversationId, command: `${longest}漢`, clientMessageId: "command" } });
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "command", code: "too-large" });
});

test("[WS106] a command without a conversation is confirmed and refused like any other", async () => {
	socket.send({ type: "bash:exec", requestId: "r", data: { command: "ls", clientMessageId: "m1" } });
	const ack = await socket.next("copilot:ack");
	const start = await socket.next("bash:start");
	expect(ack).toEqual({ type: "copilot:ack", requestId: "r", data: { clientMessageId: "m1", messageId: start.data.execId } });
	expect(start.data.clientMessageId).toBe("m1");
	socket.send({ type: "bash:exec", data: { command: " ", clientMessageId: "m2" } });
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "m2", code: "bad-request" });
});
