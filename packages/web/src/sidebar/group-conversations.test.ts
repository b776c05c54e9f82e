import fc from "fast-check";
import { expect, test } from "vitest";
import { groupConversations } from "./group-conversations.ts";
import { testConversation } from "./test-conversation.ts";

const now = new Date(2026, 10, 15, 10, 0);
const at = (days: number, hour = 12) => new Date(2026, 10, 15 - days, hour).toISOString();

test("[PG62] conversations stand in groups by calendar day, pinned first, newest first within a group", () => {
	const groups = groupConversations(
		[
			testConversation({ id: "old", updatedAt: at(90) }),
			testConversation({ id: "late-yesterday", updatedAt: at(1, 23) }),
			testConversation({ id: "today-1", updatedAt: at(0, 8) }),
			testConversation({ id: "today-2", updatedAt: at(0, 9) }),
			testConversation({ id: "pinned", updatedAt: at(200), pinned: true }),
			testConversation({ id: "week", updatedAt: at(6) }),
			testConversation({ id: "month", updatedAt: at(7) }),
		],
		now,
	);
	expect(groups.map(({ group, conversations }) => [group, ...conversations.map(({ id }) => id)])).toEqual([
		["pinned", "pinned"],
		["today", "today-2", "today-1"],
		["yesterday", "late-yesterday"],
		["week", "week"],
		["month", "month"],
		["older", "old"],
	]);
});

test("[PG62] every conversation stands in exactly one group, whatever its date", () => {
	const conversation = fc.record({
		id: fc.uuid(),
		pinned: fc.boolean(),
		updatedAt: fc.date({ min: new Date(2020, 0, 1), max: new Date(2030, 0, 1), noInvalidDate: true }).map((date) => date.toISOString()),
	});
	fc.assert(
		fc.property(fc.uniqueArray(conversation, { selector: ({ id }) => id }), (list) => {
			const grouped = groupConversations(list.map(testConversation), now).flatMap(({ conversations }) => conversations.map(({ id }) => id));
			expect(grouped.toSorted()).toEqual(list.map(({ id }) => id).toSorted());
		}),
	);
});
