import { expect, test } from "vitest";
import { testConversation } from "./test-conversation.ts";
import { isUnread, liveState } from "./unread.ts";

test("[PG63] a conversation is unread when something happened after it was last open here", () => {
	const conversation = testConversation({ id: "a", headSeq: 7 });
	expect(isUnread(conversation, { a: { seq: 4, at: 0 } }, undefined)).toBe(true);
	expect(isUnread(conversation, { a: { seq: 7, at: 0 } }, undefined)).toBe(false);
	expect(isUnread(conversation, { a: { seq: 4, at: 0 } }, "a")).toBe(false);
	expect(isUnread(conversation, {}, undefined)).toBe(false);
});

test("[PG63] the list says what needs a person first", () => {
	const visits = { c1: { seq: 1, at: 0 } };
	const state = (fields: Parameters<typeof testConversation>[0]) =>
		liveState(testConversation({ headSeq: 5, ...fields }), visits, undefined);
	expect(state({ asking: true, status: "streaming" })).toBe("asks");
	expect(state({ status: "streaming" })).toBe("running");
	expect(state({ status: "error" })).toBe("failed");
	expect(state({ status: "completed" })).toBe("unread");
	expect(state({ status: "completed", headSeq: 1 })).toBe("quiet");
	expect(state({ status: "error", headSeq: 1 })).toBe("quiet");
});
