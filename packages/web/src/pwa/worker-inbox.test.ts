import { expect, test } from "vitest";
import { isKeepMessage, isLanguageMessage, readPush } from "./worker-inbox.ts";

test("[PG264] the service worker takes from a push and from a page only what has the right shape", () => {
	expect(readPush({ title: "Done", body: "All green", conversationId: "c1", tag: 7, params: { n: 3, bad: {} } })).toEqual({
		title: "Done",
		body: "All green",
		conversationId: "c1",
		params: { n: "3" },
	});
	expect(readPush("Done")).toEqual({ params: {} });
	expect([{ type: "language", language: "zh-Hant" }, { type: "language", language: "fr" }, null].map(isLanguageMessage)).toEqual([
		true,
		false,
		false,
	]);
	expect([{ type: "keep", urls: ["/a.js"] }, { type: "keep" }, { type: "keep", urls: [1] }, null].map(isKeepMessage)).toEqual([
		true,
		false,
		false,
		false,
	]);
});
