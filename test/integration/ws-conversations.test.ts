import { afterEach, beforeEach, expect, test } from "vitest";
import { createWebBed, type WebBed } from "./ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

test("[WS1] a prompt is acknowledged, streamed to its sender and ended with one idle", async () => {
	const id = await bed.begin();
	const socket = await bed.connect();
	socket.send({ type: "copilot:send", data: { conversationId: id, prompt: "hello", clientMessageId: "c1" } });
	const ack = await socket.next("copilot:ack");
	expect(ack.data).toMatchObject({ conversationId: id, clientMessageId: "c1" });
	const turn = await bed.runtime.nextTurn();
	turn.text("Hi there");
	turn.end();
	expect((await socket.next("copilot:delta")).data).toMatchObject({ conversationId: id, content: "Hi there" });
	expect((await socket.next("copilot:idle")).data).toMatchObject({ conversationId: id, outcome: "completed" });
	expect(socket.frames.filter((frame) => frame.type === "copilot:idle")).toHaveLength(1);
});
