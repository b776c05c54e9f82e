import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../../test/support/core.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import { createCopilotHandler } from "./copilot-handler.ts";
import type { OutFrame } from "./frames.ts";
import { createSubscriptions } from "./subscriptions.ts";

let core: CoreBed;
beforeEach(async () => {
	core = await createCoreBed();
});
afterEach(() => core.close());

function connect(logger = silentLogger) {
	const sent: OutFrame[] = [];
	const outbound = {
		send: (text: string) => void sent.push(JSON.parse(text)),
		deliver: (text: string) => void sent.push(JSON.parse(text)),
		behind: () => false,
		later: () => undefined,
		offer: (text: string) => sent.push(JSON.parse(text)) > 0,
		forget: () => undefined,
		waitingBytes: () => 0,
		close: () => undefined,
	};
	const subscriptions = createSubscriptions({ conversations: core.conversations, outbound });
	const handler = createCopilotHandler({
		conversations: core.conversations,
		jobs: core.shell,
		subscriptions,
		logger,
		source: { source: "test", farSource: "test" },
	});
	return { handler, sent, send: (frame: OutFrame) => void sent.push(frame) };
}

test("[WS30] lastConversationId is null at first, then the conversation of the latest send, of this connection only", async () => {
	const [a, b] = [await core.begin(), await core.begin()];
	const one = connect();
	const two = connect();
	expect(one.handler.lastConversationId).toBeNull();
	await one.handler.handle({ type: "copilot:send", data: { conversationId: a, prompt: "x" } }, one.send);
	expect(one.handler.lastConversationId).toBe(a);
	await one.handler.handle({ type: "copilot:send", data: { conversationId: b, prompt: "x" } }, one.send);
	expect(one.handler.lastConversationId).toBe(b);
	expect(two.handler.lastConversationId).toBeNull();
});

test("[WS30] a send that was refused does not count", async () => {
	const { handler, send } = connect();
	await handler.handle({ type: "copilot:send", data: { conversationId: "nobody", prompt: "x" } }, send);
	expect(handler.lastConversationId).toBeNull();
});

test("[WS11] an abort without an id says in the log whether it stopped anything", async () => {
	const lines: string[] = [];
	const { handler, send } = connect({ ...silentLogger, warn: (_fields: object, message: string) => void lines.push(message) });
	await handler.handle({ type: "copilot:abort" }, send);
	const id = await core.begin();
	await handler.handle({ type: "copilot:send", data: { conversationId: id, prompt: "x" } }, send);
	await handler.handle({ type: "copilot:abort" }, send);
	expect(lines).toEqual([expect.stringContaining("nothing was running"), expect.stringContaining("was stopped")]);
});
