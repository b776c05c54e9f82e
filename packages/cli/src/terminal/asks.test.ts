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

test("[RP51] what can be allowed for good is listed, and `r` allows it; without an offer, and of what is cut, it is no answer", () => {
	const request = {
		...{ requestId: "p1", kind: "custom-tool", summary: "Run ls", detail: "ls", expiresAt: "2026-01-01T00:00:00.000Z" },
		remember: [{ text: "ls", folder: "/shop", exact: false, writes: true }],
	};
	const paint = (text: string) => text;
	expect(describeAsk({ kind: "permission", request }, { words: wordsIn("en"), paint }).slice(-2)).toEqual([
		"  r: ls · any arguments, output into its files · in /shop",
		"  y: once · a: also from now on in this session · r: always here, as listed · n: no",
	]);
	const typed = (asked: typeof request | Omit<typeof request, "remember">) =>
		answerTo({ kind: "permission", request: asked }, "R", "c1")?.data;
	expect(typed(request)).toEqual({ conversationId: "c1", requestId: "p1", decision: "approve-once", remember: true });
	const { remember: _, ...plain } = request;
	expect([typed(plain), typed({ ...request, detail: "x\n".repeat(100) })]).toEqual([undefined, undefined]);
});

test("[CL73] what is not shown whole can be refused in a terminal, and not allowed", () => {
	const shown = { requestId: "p1", kind: "custom-tool", summary: "Run it", expiresAt: "2026-01-01T00:00:00.000Z" };
	for (const request of [
		{ ...shown, detail: "x\n".repeat(100) },
		{ ...shown, detail: "ls", truncated: 5 },
	]) {
		const answers = ["y", "a", "n"].map((typed) => answerTo({ kind: "permission", request }, typed, "c1")?.data);
		expect(answers).toEqual([undefined, undefined, { conversationId: "c1", requestId: "p1", decision: "reject" }]);
	}
});

test("[CL130] a plan is shown whole with its actions; a number or y takes it, n and any other words send it back", () => {
	const request = { requestId: "q4", summary: "Replace it", plan: "# Steps", actions: ["autopilot", "interactive"], expiresAt: "" };
	const plan = { kind: "plan", request } as const;
	const paint = (text: string) => text;
	const shown = describeAsk(plan, { words: wordsIn("en"), paint }).join("\n");
	expect(shown).toMatch(/The agent has a plan[\s\S]*Replace it[\s\S]*# Steps[\s\S]*1 {2}autopilot[\s\S]*y or a number/);
	const answers = ["y", "1", "interactive", "n", "Use tabs", "9", ""].map((typed) => answerTo(plan, typed, "c1")?.data);
	const of = { conversationId: "c1", requestId: "q4" };
	expect(answers).toEqual([
		{ ...of, approved: true },
		{ ...of, approved: true, action: "autopilot" },
		{ ...of, approved: true, action: "interactive" },
		{ ...of, approved: false },
		{ ...of, approved: false, feedback: "Use tabs" },
		undefined,
		undefined,
	]);
});
