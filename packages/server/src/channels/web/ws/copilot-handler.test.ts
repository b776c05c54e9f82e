import { afterEach, beforeEach, expect, test } from "vitest";
import { type CoreBed, createCoreBed } from "../../../../../../test/support/core.ts";
import { silentLogger } from "../../../core/logger.ts";
import { createCopilotHandler } from "./copilot-handler.ts";
import type { OutFrame } from "./frames.ts";
import { createSubscriptions } from "./subscriptions.ts";

let core: CoreBed;
beforeEach(async () => {
	core = await createCoreBed();
});
afterEach(() => core.close());

function connect() {
	const sent: OutFrame[] = [];
	const outbound = {
		send: (text: string) => void sent.push(JSON.parse(text)),
		deliver: (text: string) => void sent.push(JSON.parse(text)),
		behind: () => false,
		later: () => undefined,
		offer: (text: string) => sent.push(JSON.parse(text)) > 0,
		forget: () => undefined,
		close: () => undefined,
	};
	const subscriptions = createSubscriptions({ conversations: core.conversations, outbound });
	const handler = createCopilotHandler({
		conversations: core.conversations,
		subscriptions,
		logger: silentLogger,
		source: "test",
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

test("[WS31] shell results are added in order, seen by conversation and dropped together", async () => {
	const id = await core.begin();
	const other = await core.begin();
	const { handler } = connect();
	expect(handler.pendingBashContext.get(id)).toBeUndefined();
	for (const name of ["one", "two", "three"]) handler.addBashContext(id, `$ echo ${name}\n${name}\n[exit code: 0]`);
	expect(handler.pendingBashContext.get(id)).toHaveLength(3);
	expect(handler.pendingBashContext.get(other)).toBeUndefined();
	handler.pendingBashContext.delete(id);
	expect(handler.pendingBashContext.get(id)).toBeUndefined();
});

test("[WS31] the next send carries them in order and uses them up", async () => {
	const id = await core.begin();
	const { handler, send } = connect();
	handler.addBashContext(id, "$ a\nA\n[exit code: 0]");
	handler.addBashContext(id, "$ b\nB\n[exit code: 1]");
	await handler.handle({ type: "copilot:send", data: { conversationId: id, prompt: "explain" } }, send);
	const turn = await core.runtime.nextTurn();
	expect(turn.input.prompt).toBe(
		"[Bash executed by user]\n$ a\nA\n[exit code: 0]\n\n[Bash executed by user]\n$ b\nB\n[exit code: 1]\n\nexplain",
	);
	expect(handler.pendingBashContext.get(id)).toBeUndefined();
});
