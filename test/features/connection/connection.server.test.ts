import { CLIENT_FRAME_TYPES } from "@rightseat/protocol/frames/client";
import { MAX_FRAME_BYTES } from "@rightseat/protocol/limits";
import { afterEach, expect, test } from "vitest";
import { MAX_SUBSCRIPTIONS } from "../../../packages/server/src/channels/web/ws/subscriptions.ts";
import { systemClock } from "../../../packages/server/src/core/kernel/clock.ts";
import { createFakeClock } from "../../support/fake-clock.ts";
import { createWebBed, sampleData, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
afterEach(() => bed.close());

test("[WS8] what cannot be understood is answered and the connection stays", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	for (const raw of ["not json", "{}", '{"type":"no:such"}', '{"type":"copilot:send","data":{"prompt":1}}']) {
		socket.send(raw);
		expect((await socket.next("error")).data.code).toMatch(/^(bad-json|bad-frame|unknown-type)$/);
	}
	socket.ws.send(Buffer.from([1, 2, 3]));
	expect((await socket.next("error")).data.code).toBe("bad-frame");
	socket.send({ type: "ping" });
	await socket.next("pong");
});

test("[WS9] a flood of frames that cannot be understood ends the connection with 1008", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	for (let i = 0; i < 51; i += 1) socket.send("garbage");
	expect((await socket.closed).code).toBe(1008);
	expect(socket.frames.filter((frame) => frame.type === "error")).toHaveLength(51);
});

test("[WS27] a frame over 832 KiB ends the connection with 1009", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	socket.send(JSON.stringify({ type: "ping", data: "x".repeat(MAX_FRAME_BYTES) }));
	expect((await socket.closed).code).toBe(1009);
});

test("[WS25] a flood of frames is refused, then ended with 4029", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	for (let i = 0; i < 2_000; i += 1) socket.send({ type: "ping" });
	expect((await socket.closed).code).toBe(4029);
	expect(socket.frames.some((frame) => frame.data?.code === "rate-limited")).toBe(true);
});

test("[WS26] one connection can watch so many conversations and not one more", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	for (let i = 0; i < MAX_SUBSCRIPTIONS; i += 1) {
		socket.send({ type: "copilot:subscribe", data: { conversationId: await bed.begin() } });
	}
	const extra = await bed.begin();
	socket.send({ type: "copilot:subscribe", data: { conversationId: extra } });
	expect((await socket.next("error")).data.code).toBe("too-many-subscriptions");
});

test("[WS41] every frame type of the protocol is handled", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	for (const type of CLIENT_FRAME_TYPES) socket.send(JSON.stringify({ type, data: sampleData(type) }));
	socket.send({ type: "ping" });
	await socket.next("pong");
	await socket.next("pong");
	expect(socket.frames.filter((frame) => frame.data?.code === "unknown-type" || frame.data?.code === "bad-frame")).toEqual([]);
});

test("[WS28] every connection hears of created, changed and deleted conversations", async () => {
	bed = await createWebBed();
	const sockets = [await bed.connect(), await bed.connect()];
	const created: unknown = await (await bed.api("/api/conversations", { method: "POST", body: { title: "New" } })).json();
	const id = String(Reflect.get(Object(Reflect.get(Object(created), "conversation")), "id"));
	await bed.api(`/api/conversations/${id}`, { method: "PATCH", body: { pinned: true } });
	await bed.api(`/api/conversations/${id}`, { method: "DELETE" });
	for (const socket of sockets) {
		expect((await socket.next("conversation:created")).data).toMatchObject({ conversationId: id, id, conversation: { id, title: "New" } });
		expect((await socket.next("conversation:updated")).data).toMatchObject({ conversationId: id, conversation: { id, pinned: true } });
		expect((await socket.next("conversation:deleted")).data).toEqual({ conversationId: id, id });
	}
});

test("[WS29] every connection hears how the parts are when that changes", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	bed.channel.statusChanged();
	expect((await socket.next("app:status")).data).toMatchObject({ runtime: { state: "ready" }, storage: { state: "ok" } });
});

test("[WS44] a server that stops says so with 1012", async () => {
	bed = await createWebBed();
	const socket = await bed.connect();
	await bed.channel.close();
	expect((await socket.closed).code).toBe(1012);
});

test("[WS14] a connection from which nothing came for 180 s is closed with 4009 and forgotten", async () => {
	const clock = createFakeClock();
	bed = await createWebBed({ clock, deps: { clock } });
	const id = await bed.begin();
	const socket = await bed.connect();
	socket.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await socket.next("copilot:snapshot");
	await clock.advance(179_999);
	expect(socket.ws.readyState).toBe(socket.ws.OPEN);
	await clock.advance(1);
	expect((await socket.closed).code).toBe(4009);
});

test.each([
	{ type: "copilot:status" } as const,
	{ type: "ping" } as const,
	{ type: "terminal:input", data: { terminalId: "none", data: "x" } } as const,
])("[WS15] $type restarts the clock like any other frame", async (frame) => {
	const clock = createFakeClock();
	bed = await createWebBed({ clock });
	const socket = await bed.connect();
	await clock.advance(179_000);
	socket.send(frame);
	await new Promise((resolve) => socket.ws.once("message", resolve));
	await clock.advance(179_000);
	expect(socket.ws.readyState).toBe(socket.ws.OPEN);
	await clock.advance(1_000);
	expect((await socket.closed).code).toBe(4009);
});

test("[WS16] what the server sends does not restart the clock, nor does a protocol-level pong", async () => {
	const clock = createFakeClock();
	bed = await createWebBed({ clock });
	const socket = await bed.connect();
	await clock.advance(179_000);
	bed.channel.statusChanged();
	await socket.next("app:status");
	await new Promise<void>((resolve) => socket.ws.pong("", undefined, () => resolve()));
	await new Promise<void>((resolve) => socket.ws.ping("", undefined, () => resolve()));
	await new Promise((resolve) => socket.ws.once("pong", resolve));
	await clock.advance(1_000);
	expect((await socket.closed).code).toBe(4009);
});

test("[WS32] a command with a conversation runs in it and is acknowledged", async () => {
	bed = await createWebBed();
	const id = await bed.begin();
	const socket = await bed.connect();
	socket.send({ type: "bash:exec", data: { command: "ls", conversationId: id, clientMessageId: "c1" } });
	expect((await socket.next("copilot:ack")).data).toMatchObject({ conversationId: id, clientMessageId: "c1" });
	bed.shell.commands[0]?.output("file\n");
	bed.shell.commands[0]?.finish();
	expect((await socket.next("bash:done")).data).toMatchObject({ conversationId: id, exitCode: 0 });
	expect(bed.conversations.messages(id, { limit: 5 }).messages).toMatchObject([{ role: "user", metadata: { bash: true, exitCode: 0 } }]);
});

test("[WS32] without one it belongs to this connection's latest conversation, else it is not stored", async () => {
	bed = await createWebBed({ clock: systemClock });
	const id = await bed.begin();
	const socket = await bed.connect();
	socket.send({ type: "bash:exec", data: { command: "ls" } });
	await socket.next("bash:start");
	bed.shell.commands[0]?.finish();
	expect((await socket.next("bash:done")).data).not.toHaveProperty("conversationId");
	expect(bed.conversations.messages(id, { limit: 5 }).messages).toEqual([]);
	expect(bed.conversations.pendingBashContext(id)).toEqual([]);
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "hello" } });
	await socket.next("copilot:ack");
	socket.send({ type: "bash:exec", data: { command: "pwd" } });
	expect((await socket.next("bash:start")).data).toMatchObject({ conversationId: id, command: "pwd" });
});

test("[WS32] kill, jobs and shell context reach their place", async () => {
	bed = await createWebBed();
	const id = await bed.begin();
	const socket = await bed.connect();
	socket.send({ type: "bash:exec", data: { command: "sleep 9", conversationId: id } });
	const start = await socket.next("bash:start");
	socket.send({ type: "bash:kill", data: { execId: String(start.data.execId) } });
	const done = await socket.next("bash:done");
	expect(bed.shell.commands[0]?.killed).toBe(true);
	socket.send({ type: "bash:kill", data: { execId: String(start.data.execId) } });
	expect((await socket.next("error")).data.code).toBe("exec-not-found");
	socket.send({ type: "bash:context_drop", data: { conversationId: id, messageId: String(done.data.messageId) } });
	await socket.next("bash:context", (data) => Array.isArray(data.items) && data.items.length === 0);
	socket.send({ type: "bash:jobs", data: {} });
	expect((await socket.next("bash:jobs")).data).toEqual({ jobs: [] });
});
