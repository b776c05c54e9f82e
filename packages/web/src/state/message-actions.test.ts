import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { Message } from "@rightseat/protocol/model/message";
import { expect, test } from "vitest";
import { emptyView } from "../conversation/conversation-view.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import { createTestState } from "../testing/page-state.ts";
import { createMessageActions } from "./message-actions.ts";

const createdAt = "2026-01-02T03:04:05.000Z";
const asked = (id: string, content: string): Message => ({ id, role: "user", content, metadata: { origin: "web" }, createdAt });
const answered = (id: string, inReplyTo?: string): Message => ({
	id,
	role: "assistant",
	content: "",
	metadata: { outcome: "error", tools: [], parts: [], ...(inReplyTo === undefined ? {} : { inReplyTo }) },
	createdAt,
});

function setUp(messages: Message[], { online = true } = {}) {
	const state = createTestState({ openId: "c1", views: { c1: { ...emptyView("c1"), messages } } });
	const added: Pick<OutboxItem, "text" | "attachments">[] = [];
	const sent: ClientFrame[] = [];
	const toasts: string[] = [];
	const actions = createMessageActions({
		state,
		toast: ({ text }) => String(toasts.push(text)),
		newId: () => "id",
		send: (frame) => online && sent.push(frame) > 0,
		outbox: {
			add: async ({ text, attachments }) => added.push({ text, attachments }) > 0,
			retry: () => undefined,
			discard: () => undefined,
		},
		newConversation: async () => undefined,
		loadMessage: async (_conversationId, messageId) => asked(messageId, "all of a very long prompt"),
	});
	return { actions, added, sent, toasts };
}

test("[PG36] Retry sends the prompt of that answer again, with its files", async () => {
	const file = { id: "f1", name: "a.png", size: 1, mimeType: "image/png" };
	const first: Message = { id: "u1", role: "user", content: "first", metadata: { origin: "web", attachments: [file] }, createdAt };
	const { actions, added } = setUp([first, answered("a1", "u1"), asked("u2", "second"), answered("a2", "u2")]);
	expect(await actions.retryTurn("c1", "a1")).toBe(true);
	expect(added).toEqual([{ text: "first", attachments: ["f1"] }]);
});

test("[PG36] an answer that does not name its prompt belongs to the one before it", async () => {
	const { actions, added } = setUp([asked("u1", "first"), answered("a1")]);
	await actions.retryTurn("c1", "a1");
	expect(added.map(({ text }) => text)).toEqual(["first"]);
});

test.each([
	["the answer is not there any more", [asked("u1", "first"), asked("u2", "second")]],
	["its prompt is not on the page", [asked("u0", "another"), answered("a1", "u1")]],
])("[PG306] Retry sends no other prompt when %s, and says so", async (_case, messages) => {
	const { actions, added, toasts } = setUp(messages);
	expect(await actions.retryTurn("c1", "a1")).toBe(false);
	expect([added, toasts.length]).toEqual([[], 1]);
});

test("[PG313] Retry of a prompt that is here only in part sends all of it", async () => {
	const { actions, added } = setUp([{ ...asked("u1", "all of a"), truncated: { content: 25 } }, answered("a1", "u1")]);
	await actions.retryTurn("c1", "a1");
	expect(added.map(({ text }) => text)).toEqual(["all of a very long prompt"]);
});

test("[PG39] Stop names its conversation, and without a connection it says so instead of stopping something later", () => {
	const online = setUp([]);
	online.actions.abort("c1");
	expect(online.sent).toEqual([{ type: "copilot:abort", data: { conversationId: "c1" } }]);
	const offline = setUp([], { online: false });
	offline.actions.abort("c1");
	expect([offline.sent.length, offline.toasts.length]).toEqual([0, 1]);
});
