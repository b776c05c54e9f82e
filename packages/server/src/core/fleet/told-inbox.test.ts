import { hostInboxSchema, itemToHere, MAX_TOLD_ITEMS } from "@rightseat/protocol/fleet/inbox";
import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { expect, test } from "vitest";
import { fitInbox, MAX_ITEM_BYTES, MAX_TOLD_BYTES } from "./told-inbox.ts";

const item = (index: number, more: Partial<InboxItem> = {}): InboxItem => ({
	...{ id: `finished-${index}`, kind: "finished", conversationId: `c${index}`, title: "t", why: "w", since: "2026-01-01T00:00:00.000Z" },
	...more,
});
const later = (index: number, more: Partial<InboxItem> = {}) => ({ ...item(index, more), until: "2027-01-01T00:00:00.000Z" });
const bytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

test("[FL264] an inbox that is told to others is bounded in items and bytes, and what needs a person most stays in it", () => {
	const many = Array.from({ length: 300 }, (_, index) => item(index));
	expect(fitInbox({ items: many, snoozed: many.map((each) => ({ ...each, until: "" })) })).toMatchObject({
		items: { length: MAX_TOLD_ITEMS },
		snoozed: { length: MAX_TOLD_ITEMS },
	});
	const wide = Array.from({ length: 100 }, (_, index) => item(index, { why: "文".repeat(1_000) }));
	const told = fitInbox({ items: wide, snoozed: [later(1, { why: "文".repeat(1_000) })] });
	expect([told.items[0]?.id, bytes(told) <= MAX_TOLD_BYTES + 100, told.items.length > 10]).toEqual(["finished-0", true, true]);
	const question = { requestId: "r", question: "x".repeat(MAX_ITEM_BYTES), allowFreeform: true, expiresAt: "" };
	expect(fitInbox({ items: [item(1, { kind: "question", question })], snoozed: [] }).items).toEqual([item(1, { kind: "question" })]);
});

test("[FL264] an item that is none, of a kind that nobody knows, or under another's name costs only itself", () => {
	const said = [item(1), 7, { ...item(2), kind: "later-version" }, item(3, { conversationId: "a.b" }), item(4, { id: "../x" }), item(5)];
	const { items, snoozed } = hostInboxSchema.parse({ items: said, snoozed: [later(6), item(7)] });
	expect([items.map(({ id }) => id), snoozed.map(({ id }) => id)]).toEqual([["finished-1", "finished-5"], ["finished-6"]]);
	expect(hostInboxSchema.safeParse({ items: Array.from({ length: MAX_TOLD_ITEMS + 1 }), snoozed: [] }).success).toBe(false);
	const host = { id: "abcdefgh234567ab", name: "desk" };
	expect(itemToHere(host, item(1, { scheduleId: "s1" }))).toMatchObject({
		...{ id: "abcdefgh234567ab_finished-1", conversationId: "abcdefgh234567ab_c1", scheduleId: "abcdefgh234567ab_s1", host },
	});
});
