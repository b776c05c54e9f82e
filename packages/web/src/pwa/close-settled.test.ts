import { expect, test } from "vitest";
import { closeSettled, isSettled } from "./close-settled.ts";
import { readPush } from "./worker-inbox.ts";

test("[PG905] a push that says that something is settled closes the notification about it, and no newer one", () => {
	const push = readPush({ code: "settled", tag: "c1", item: "question-1", count: 2 });
	expect([isSettled(push), push.count, isSettled(readPush({ code: "question" }))]).toEqual([true, 2, false]);
	const closed: string[] = [];
	const shown = ["question-1", "finished-2"].map((item) => ({ data: { conversationId: "c1", item }, close: () => void closed.push(item) }));
	closeSettled([...shown, { data: null, close: () => void closed.push("of somebody else") }], push);
	expect(closed).toEqual(["question-1"]);
});
