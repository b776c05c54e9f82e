import { expect, test } from "vitest";
import { testConversation } from "./test-conversation.ts";
import { isUnread, loadReadMarks, MAX_READ_MARKS, saveReadMarks, updateReadMarks } from "./unread.ts";

test("[PG63] a conversation is unread when something happened after it was last open here", () => {
	const first = updateReadMarks({}, [testConversation({ id: "a", headSeq: 4 }), testConversation({ id: "b", headSeq: 9 })], undefined);
	const later = [testConversation({ id: "a", headSeq: 7 }), testConversation({ id: "b", headSeq: 12 })];
	const marks = updateReadMarks(first, later, "b");
	expect(later.map((conversation) => isUnread(conversation, marks))).toEqual([true, false]);
});

test("[PG63] a conversation never seen here, or one whose log began anew, is not unread", () => {
	const conversation = testConversation({ id: "a", headSeq: 3 });
	expect(isUnread(conversation, {})).toBe(false);
	const marks = updateReadMarks({ a: 90 }, [conversation], undefined);
	expect(marks).toEqual({ a: 3 });
	expect(isUnread({ ...conversation, headSeq: 4 }, marks)).toBe(true);
});

test("[PG63] read marks are bounded, forget deleted conversations and survive a reload", () => {
	const many = Array.from({ length: MAX_READ_MARKS + 20 }, (_, index) => testConversation({ id: `c${index}` }));
	expect(Object.keys(updateReadMarks({ gone: 1 }, many, undefined))).toHaveLength(MAX_READ_MARKS);
	const kept = new Map<string, string>();
	saveReadMarks({ setItem: (key, value) => void kept.set(key, value) }, { a: 3 });
	expect(loadReadMarks({ getItem: (key) => kept.get(key) ?? null })).toEqual({ a: 3 });
	expect(loadReadMarks({ getItem: () => "not json" })).toEqual({});
});
