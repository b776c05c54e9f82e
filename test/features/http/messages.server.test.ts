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
