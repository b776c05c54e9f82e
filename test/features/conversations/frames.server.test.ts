import { MAX_PROMPT_CHARS, MAX_TYPED_CHARS } from "@rightseat/protocol/limits";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createWebBed, type TestSocket, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
let id: ConversationId;
beforeEach(async () => {
	bed = await createWebBed();
	id = await bed.begin();
});
afterEach(() => bed.close());

const prompt = (socket: TestSocket, text: string, clientMessageId?: string) =>
	socket.send({
		type: "copilot:send",
		data: { conversationId: id, prompt: text, ...(clientMessageId === undefined ? {} : { clientMessageId }) },
	});

test("[WS1] a prompt is acknowledged, streamed to its sender and ended with one idle", async () => {
	const socket = await bed.connect();
	prompt(socket, "hello", "c1");
	expect((await socket.next("copilot:ack")).data).toMatchObject({ conversationId: id, clientMessageId: "c1" });
	const turn = await bed.runtime.nextTurn();
	turn.text("Hi there");
	turn.end();
	expect((await socket.next("copilot:delta")).data).toMatchObject({ conversationId: id, content: "Hi there" });
	expect((await socket.next("copilot:idle")).data).toMatchObject({ conversationId: id, outcome: "completed" });
	expect(socket.frames.filter((frame) => frame.type === "copilot:idle")).toHaveLength(1);
});

test("[CV2] the same clientMessageId twice is one message, acknowledged as a duplicate", async () => {
	const socket = await bed.connect();
	prompt(socket, "hello", "c1");
	const first = await socket.next("copilot:ack");
	prompt(socket, "hello", "c1");
	expect((await socket.next("copilot:ack")).data).toEqual({ ...first.data, duplicate: true });
	const messages = bed.conversations.messages(id, { limit: 10 }).messages;
	expect(messages.filter((message) => message.role === "user")).toHaveLength(1);
});

test("[WS120] a refused send carries the values of its sentence", async () => {
	const socket = await bed.connect();
	const chars = MAX_PROMPT_CHARS + 1;
	prompt(socket, "x".repeat(chars), "c1");
	expect((await socket.next("copilot:nack")).data).toMatchObject({ params: { reason: "message", chars, max: MAX_PROMPT_CHARS } });
});

test("[WS18] a send that cannot be taken is answered with a code, words and whether to try again", async () => {
	const socket = await bed.connect();
	prompt(socket, "   ", "c1");
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "c1", code: "empty-prompt", retryable: false });
	socket.send({ type: "copilot:send", data: { conversationId: "nobody", prompt: "x", clientMessageId: "c2" } });
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "c2", code: "conversation-not-found" });
	prompt(socket, "x".repeat(MAX_PROMPT_CHARS + 1), "c4");
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "c4", code: "too-large", retryable: false });
	prompt(socket, "first", "c3");
	await socket.next("copilot:ack");
	prompt(socket, "something else", "c3");
	expect((await socket.next("copilot:nack")).data).toMatchObject({ clientMessageId: "c3", code: "id-reused" });
});

test("[CV221] a prompt of 100 KB reaches the model whole, in any script", async () => {
	const socket = await bed.connect();
	for (const text of ["a".repeat(102_400), "字".repeat(MAX_TYPED_CHARS)]) {
		prompt(socket, text);
		await socket.next("copilot:ack");
		const turn = await bed.runtime.nextTurn();
		expect(turn.input.prompt).toBe(text);
		turn.end();
		await socket.next("copilot:idle");
	}
});

test("[WS221] subscribe is answered first with the stream's status", async () => {
	const socket = await bed.connect();
	socket.send({ type: "copilot:subscribe", data: { conversationId: id } });
	expect((await socket.next("copilot:stream-status")).data).toMatchObject({ conversationId: id, status: "idle", mode: "snapshot" });
	expect(socket.frames.find(({ type }) => type !== "hello")?.type).toBe("copilot:stream-status");
	const writer = await bed.connect();
	prompt(writer, "go");
	await bed.runtime.nextTurn();
	const late = await bed.connect();
	late.send({ type: "copilot:subscribe", data: { conversationId: id } });
	expect((await late.next("copilot:stream-status")).data).toMatchObject({ status: "streaming" });
});

test("[WS3] after unsubscribe nothing more comes", async () => {
	const socket = await bed.connect();
	const writer = await bed.connect();
	socket.send({ type: "copilot:subscribe", data: { conversationId: id } });
	await socket.next("copilot:snapshot");
	socket.send({ type: "copilot:unsubscribe", data: { conversationId: id } });
	socket.send({ type: "ping" });
	await socket.next("pong");
	const before = socket.frames.length;
	prompt(writer, "go");
	const turn = await bed.runtime.nextTurn();
	turn.text("unseen");
	turn.end();
	await writer.next("copilot:idle");
	socket.send({ type: "ping" });
	await socket.next("pong");
	const later = socket.frames.slice(before).map((frame) => frame.type);
	expect(later.filter((type) => type.startsWith("copilot:"))).toEqual([]);
});

test("[WS4] status without data lists the running conversations, none at first", async () => {
	const socket = await bed.connect();
	socket.send({ type: "copilot:status" });
	expect(await socket.next("copilot:active-streams")).toEqual({ type: "copilot:active-streams", data: { conversationIds: [] } });
	prompt(socket, "go");
	await bed.runtime.nextTurn();
	socket.send({ type: "copilot:status" });
	expect((await socket.next("copilot:active-streams")).data).toEqual({ conversationIds: [id] });
});

test("[WS20] several connections see the whole turn and none puts another out", async () => {
	const sockets = [await bed.connect(), await bed.connect(), await bed.connect()];
	for (const socket of sockets) {
		socket.send({ type: "copilot:subscribe", data: { conversationId: id } });
		await socket.next("copilot:snapshot");
	}
	const [first] = sockets;
	if (first === undefined) throw new Error("No socket.");
	prompt(first, "go");
	const turn = await bed.runtime.nextTurn();
	turn.text("to all");
	turn.end();
	for (const socket of sockets) {
		await socket.next("copilot:idle");
		const events = socket.frames.filter((frame) => frame.data?.seq !== undefined && frame.type !== "copilot:snapshot");
		expect(events.map((frame) => frame.data.seq)).toEqual(events.map((_, index) => index + 1));
		expect(events.map((frame) => frame.type)).toContain("copilot:user_message");
	}
});

test("[WS21] a reader that names its position gets what it missed, once and in order", async () => {
	const first = await bed.connect();
	prompt(first, "go");
	const turn = await bed.runtime.nextTurn();
	turn.text("one ");
	const seen = await first.next("copilot:delta");
	first.ws.terminate();
	turn.text("two ");
	turn.text("three");
	turn.end();
	const second = await bed.connect();
	const position = { epoch: String(seen.data.epoch), lastSeq: Number(seen.data.seq) };
	second.send({ type: "copilot:subscribe", data: { conversationId: id, ...position } });
	expect((await second.next("copilot:stream-status")).data).toMatchObject({ mode: "delta" });
	await second.next("copilot:idle");
	const events = second.frames.filter((frame) => frame.data?.seq !== undefined);
	expect(events.map((frame) => frame.data.seq)).toEqual(events.map((_, index) => position.lastSeq + index + 1));
	const text = events.filter((frame) => frame.type === "copilot:delta").map((frame) => frame.data.content);
	expect(text.join("")).toBe("two three");
});

test("[WS10] abort with an id stops that turn", async () => {
	const socket = await bed.connect();
	prompt(socket, "go");
	await bed.runtime.nextTurn();
	socket.send({ type: "copilot:abort", data: { conversationId: id } });
	expect((await socket.next("copilot:idle")).data).toMatchObject({ outcome: "aborted" });
	expect(bed.log.filter((line) => line.level === "warn")).toEqual([]);
});

test("[WS11] abort without an id stops the last active stream of this connection and warns in the log", async () => {
	const other = await bed.begin();
	const socket = await bed.connect();
	prompt(socket, "first");
	await bed.runtime.nextTurn();
	socket.send({ type: "copilot:send", data: { conversationId: other, prompt: "second" } });
	await bed.runtime.nextTurn();
	socket.send({ type: "copilot:abort" });
	expect((await socket.next("copilot:idle")).data).toMatchObject({ conversationId: other, outcome: "aborted" });
	expect(bed.conversations.active()).toEqual([id]);
	expect(bed.log.filter((line) => line.level === "warn").map((line) => line.message)).toEqual([expect.stringContaining("deprecated")]);
});

test("[WS12] abort without an id never stops a stream that this connection does not watch", async () => {
	const writer = await bed.connect();
	prompt(writer, "go");
	await bed.runtime.nextTurn();
	const stranger = await bed.connect();
	stranger.send({ type: "copilot:abort", data: {}, requestId: "r1" });
	expect(await stranger.next("done")).toMatchObject({ requestId: "r1" });
	expect(bed.conversations.active()).toEqual([id]);
});

test("[WS142] a stop that finds nothing to stop is fine, with and without an id, and however often", async () => {
	const socket = await bed.connect();
	for (const [requestId, data] of [
		["r1", {}],
		["r2", { conversationId: id }],
		["r3", {}],
	] as const) {
		socket.send({ type: "copilot:abort", data, requestId });
		expect(await socket.next("done")).toMatchObject({ requestId });
	}
	expect(socket.frames.filter(({ type }) => type === "error")).toEqual([]);
});

test("[WS42] the first answer to a question counts, the second is told that it is too late", async () => {
	const socket = await bed.connect();
	prompt(socket, "go");
	const turn = await bed.runtime.nextTurn();
	const asked = turn.options.ask({ question: "Which?", choices: ["a", "b"], allowFreeform: true }, turn.signal);
	const request = await socket.next("copilot:user_input_request");
	const answer = { conversationId: id, requestId: String(request.data.requestId), answer: "b", wasFreeform: false };
	socket.send({ type: "copilot:user_input_response", data: answer });
	expect(await asked).toMatchObject({ answer: "b" });
	socket.send({ type: "copilot:user_input_response", data: answer });
	expect((await socket.next("error")).data).toMatchObject({ code: "request-not-found" });
});

test("[WS229] a permission decision reaches the agent and the audit log", async () => {
	await bed.api(`/api/conversations/${id}`, { method: "PATCH", body: { permissions: "ask" } });
	const socket = await bed.connect();
	prompt(socket, "go");
	const turn = await bed.runtime.nextTurn();
	const asked = turn.options.permit({ kind: "shell", summary: "rm -r build" }, turn.signal);
	const request = await socket.next("copilot:permission_request");
	socket.send({
		type: "copilot:permission_response",
		data: { conversationId: id, requestId: String(request.data.requestId), decision: "reject", feedback: "no" },
	});
	expect(await asked).toMatchObject({ kind: "reject" });
	await socket.next("copilot:permission_resolved");
	const audit: unknown = await (await bed.api("/api/audit")).json();
	expect(audit).toMatchObject({
		entries: [
			{ kind: "permission", source: "127.0.0.1", detail: `reject in ${id}: rm -r build` },
			{ kind: "permission-mode", source: "127.0.0.1", detail: `ask in ${id}` },
		],
	});
});

test("[WS43] queued prompts can be edited, moved, dropped and sent now", async () => {
	const socket = await bed.connect();
	prompt(socket, "running");
	const turn = await bed.runtime.nextTurn();
	const ids: string[] = [];
	for (const text of ["one", "two", "three"]) {
		prompt(socket, text, text);
		ids.push(String((await socket.next("copilot:ack", (data) => data.clientMessageId === text)).data.messageId));
	}
	const [one = "", two = "", three = ""] = ids;
	const queue = () => bed.conversations.queue(id).map((item) => item.content);
	const settle = async () => {
		socket.send({ type: "ping" });
		await socket.next("pong");
	};
	socket.send({ type: "copilot:queue_edit", data: { conversationId: id, messageId: one, content: "ONE" } });
	socket.send({ type: "copilot:queue_move", data: { conversationId: id, messageId: three, toIndex: 0 } });
	await settle();
	expect(queue()).toEqual(["three", "ONE", "two"]);
	socket.send({ type: "copilot:queue_drop", data: { conversationId: id, messageId: two } });
	socket.send({ type: "copilot:queue_send_now", data: { conversationId: id, messageId: one } });
	await settle();
	expect(queue()).toEqual(["three"]);
	expect(turn.steered.map((input) => input.displayPrompt)).toEqual(["ONE"]);
});
