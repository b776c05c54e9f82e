import { expect, test } from "vitest";
import { isKeepMessage, readPush } from "./worker-inbox.ts";

test("[PG264] the service worker takes from a push and from a page only what has the right shape", () => {
	expect(readPush({ title: "Done", body: "All green", conversationId: "c1", tag: 7 })).toEqual({
		title: "Done",
		body: "All green",
		conversationId: "c1",
	});
	expect(readPush("Done")).toEqual({});
	expect([{ type: "keep", urls: ["/a.js"] }, { type: "keep" }, { type: "keep", urls: [1] }, null].map(isKeepMessage)).toEqual([
		true,
		false,
		false,
		false,
	]);
});
