import { afterEach, beforeEach, expect, test } from "vitest";
import type { ConversationId } from "../../../packages/server/src/core/kernel/ids.ts";
import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

let bed: WebBed;
beforeEach(async () => {
	bed = await createWebBed();
});
afterEach(() => bed.close());

async function get(path: string) {
	const response = await bed.api(path);
	return { status: response.status, body: Object(await response.json()) };
}
const CALL = { toolCallId: "call 1/ä", toolName: "Bash", arguments: { command: "ls" } };

async function ask(id: ConversationId) {
	bed.conversations.prompt({ conversationId: id, prompt: "List it", origin: "api" });
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "tool-start", ...CALL });
	return turn;
}

test("[HT170] a stored message is answered whole, in its own conversation only", async () => {
	const [id, other] = [await bed.begin(), await bed.begin()];
	const turn = await ask(id);
	turn.emit({ kind: "tool-end", toolCallId: CALL.toolCallId, success: true, result: "a.txt" });
	turn.text("There is one file.");
	turn.end();
	await bed.idle();
	const { messages } = (await get(`/api/conversations/${id}/messages`)).body;
	for (const message of messages) {
		expect(await get(`/api/conversations/${id}/messages/${message.id}`)).toEqual({ status: 200, body: { message } });
		expect((await get(`/api/conversations/${other}/messages/${message.id}`)).body).toMatchObject({ error: { code: "message-not-found" } });
	}
	expect((await get("/api/conversations/none/messages/m1")).body).toMatchObject({ error: { code: "conversation-not-found" } });
	expect((await get(`/api/conversations/${id}/messages/none`)).status).toBe(404);
});

test("[HT171] a call is answered whole, while its turn runs and after it", async () => {
	const id = await bed.begin();
	const turn = await ask(id);
	const seen = await bed.connect();
	seen.send({ type: "copilot:subscribe", data: { conversationId: id } });
	const { messageId } = Object((await seen.next("copilot:stream-status")).data.turn);
	const path = `/api/conversations/${id}/messages/${messageId}/tools/`;
	const address = path + encodeURIComponent(CALL.toolCallId);
	await expect.poll(async () => (await get(address)).body).toMatchObject({ tool: CALL });
	expect((await get(`/api/conversations/${id}/messages/${messageId}`)).status).toBe(404);
	turn.emit({ kind: "tool-end", toolCallId: CALL.toolCallId, success: true, result: "a.txt" });
	turn.end();
	await bed.idle();
	expect((await get(address)).body).toMatchObject({ tool: { ...CALL, success: true, result: "a.txt" } });
	expect((await get(`${path}none`)).body).toMatchObject({ error: { code: "message-not-found" } });
});

test("[HT210] arguments of 300,000 characters are whole on the tool's route and in the export, and marked where a page cuts them", async () => {
	const id = await bed.begin();
	const content = `first line\n${"y".repeat(300_000)}\nlast line`;
	bed.conversations.prompt({ conversationId: id, prompt: "Write it", origin: "api" });
	const turn = await bed.runtime.nextTurn();
	turn.emit({ kind: "tool-start", toolCallId: "w1", toolName: "Write", arguments: { path: "a.txt", content } });
	turn.emit({ kind: "tool-end", toolCallId: "w1", success: true, result: "Written." });
	turn.end();
	await bed.idle();
	const [, answer] = (await get(`/api/conversations/${id}/messages`)).body.messages;
	expect(answer.metadata.tools[0].truncated.arguments).toBeGreaterThan(300_000);
	const { tool } = (await get(`/api/conversations/${id}/messages/${answer.id}/tools/w1`)).body;
	expect(tool).toMatchObject({ toolCallId: "w1", arguments: { path: "a.txt", content } });
	expect(tool.truncated).toBeUndefined();
	const exported = await (await bed.api(`/api/conversations/${id}/export?format=json`)).json();
	expect(Object(exported).messages[1].metadata.tools[0].arguments).toEqual({ path: "a.txt", content });
	expect(await (await bed.api(`/api/conversations/${id}/export?format=markdown`)).text()).toContain("y".repeat(300_000));
});
