import { expect, test } from "vitest";
import { wordsIn } from "../words.ts";
import { answerTo, describeAsk } from "./asks.ts";

const ask = {
	kind: "budget",
	request: { requestId: "q3", used: 1_200, limit: 1_000, scope: "conversation", unit: "tokens" },
} as const;

test("[US43] a limit says what is used and what may be typed, in both languages", () => {
	const paint = (text: string) => text;
	expect(describeAsk(ask, { words: wordsIn("en"), paint })).toEqual([
		"? A limit is reached: 1,200 of 1,000 tokens are used in this conversation.",
		"  o: go on with this turn · r: raise to 2,200, or type a limit · s: stop",
	]);
	expect(describeAsk(ask, { words: wordsIn("zh-Hant"), paint })[0]).toContain("這個對話已使用 1,200");
});

test("[US43] a letter decides, a number is the new limit, anything else is no answer", () => {
	const answers = ["o", "R", "stop", "5,000", "900", "maybe", ""].map((typed) => answerTo(ask, typed, "c1")?.data);
	const of = { conversationId: "c1", requestId: "q3" };
	expect(answers).toEqual([
		{ ...of, decision: "once" },
		{ ...of, decision: "raise", limit: 2_200 },
		{ ...of, decision: "stop" },
		{ ...of, decision: "raise", limit: 5_000 },
		undefined,
		undefined,
		undefined,
	]);
});
