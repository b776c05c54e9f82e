import { expect, test } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import type { PlanResponse } from "../../../core/asks/responses.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import type { BudgetResponse } from "../../../core/usage/budgets.ts";
import type { MessageContent } from "../api/bot-client.ts";
import type { ButtonAction } from "../commands/buttons.ts";
import { english } from "../messages/english.ts";
import { traditionalChinese } from "../messages/traditional-chinese.ts";
import { createAskView } from "./ask-view.ts";

const request = { requestId: "q3", used: 1_200, limit: 1_000, scope: "day", unit: "tokens" } as const;

function open() {
	const actions: ButtonAction[] = [];
	const shown: MessageContent[] = [];
	const decided: BudgetResponse[] = [];
	const planned: PlanResponse[] = [];
	const sent: unknown[] = [];
	const refusing: boolean[] = [];
	const view = createAskView({
		conversationId: conversationId("c1"),
		conversations: {
			answer: () => undefined,
			decide: () => undefined,
			decidePlan: (response) => void planned.push(response),
			decideBudget: (response) => void decided.push(response),
			fillIn: () => undefined,
		},
		writer: {
			send(outgoing) {
				if (refusing.shift() === true) throw new AppError("storage-read-only", "disk full");
				sent.push(outgoing);
			},
			live: () => ({
				set: (content) => void shown.push(content),
				finish: (content) => void shown.push(content),
				remove: () => undefined,
				messageId: () => 7,
				mayBeSeen: () => true,
			}),
			button(text, action) {
				actions.push(action);
				return { text, callback_data: "x" };
			},
			isSilent: () => false,
		},
		words: () => english,
		redact: (text) => text,
		clock: createFakeClock(),
		onAsking: () => undefined,
	});
	return { view, actions, shown, decided, planned, sent, refusing };
}

test("[US42] a limit is asked about with three buttons, and shows what was decided elsewhere", () => {
	const { view, actions, shown } = open();
	view.event({ type: "copilot:budget_request", data: request });
	expect(shown[0]?.text).toContain("1200 of 1000 tokens are used today");
	expect(actions).toMatchObject([
		{ kind: "budget", requestId: "q3", decision: "once" },
		{ kind: "budget", decision: "raise", limit: 2_200 },
		{ kind: "budget", decision: "stop" },
	]);
	expect(view.isAsking()).toBe(true);
	view.event({ type: "copilot:budget_resolved", data: { requestId: "q3", outcome: "answered", decision: "raise", by: "web" } });
	expect(shown.at(-1)?.text).toContain("The limit was raised");
	expect(view.isAsking()).toBe(false);
	expect(traditionalChinese.budgetReached(request)).toContain("今天所有對話已使用 1,200");
});

test("[TG581] a question that expires while the disk refuses is told when it takes it, and closed", () => {
	const { view, shown, sent, refusing } = open();
	view.event({
		type: "copilot:user_input_request",
		data: { requestId: "q1", question: "Which?", allowFreeform: true, expiresAt: "2026-01-01T00:02:00Z" },
	});
	const expired = { type: "copilot:user_input_resolved", data: { requestId: "q1", outcome: "expired" } } as const;
	refusing.push(true);
	expect(() => view.event(expired)).toThrow("disk full");
	view.event(expired);
	expect([sent.length, view.isAsking(), shown.at(-1)?.text]).toEqual([1, false, expect.stringContaining(english.expired)]);
});

test("[US42] a number that replies to it is the new limit, and an ordinary message is none", () => {
	const { view, decided } = open();
	view.budget(request);
	expect(view.awaitsAnswer(undefined)).toBe(false);
	const typed = (text: string, repliedTo?: number) => view.answerTyped({ text, repliedTo, choicesOnly: false }, "Ann");
	expect([typed("5000"), typed("yes", 7), typed("5,000", 7)]).toEqual(["none", "needs-button", "answered"]);
	expect(decided).toMatchObject([{ requestId: "q3", decision: "raise", limit: 5_000, by: "telegram", from: "Ann" }]);
});

test("[TG541] a request that can be allowed for good says what that means and has a button for it, unless a part of it is in a file", () => {
	const { view, actions, shown } = open();
	const asked = {
		requestId: "p1",
		kind: "custom-tool",
		summary: "Run git status -s",
		detail: "git status -s",
		expiresAt: "2026-01-01T00:00:00.000Z",
	};
	const remember = [{ text: "git status", folder: "/shop", exact: false, writes: false }];
	view.event({ type: "copilot:permission_request", data: { ...asked, remember } });
	expect(shown[0]?.text).toContain("unasked:\n• git status · any arguments · in /shop");
	expect(actions.map((action) => "remember" in action && action.remember)).toEqual([false, false, true, false]);
	view.event({
		type: "copilot:permission_resolved",
		data: { requestId: "p1", outcome: "answered", decision: "approve-once", remembered: true },
	});
	expect(shown.at(-1)?.text).toContain("Always allowed here");
	for (const more of [{ detail: "x".repeat(2_000) }, { truncated: 90_000 }, { remember: [] }]) {
		actions.length = 0;
		view.event({ type: "copilot:permission_request", data: { ...asked, remember, requestId: JSON.stringify(more).slice(0, 20), ...more } });
		expect(actions).toHaveLength(3);
	}
});

test("[TG533] a permission request of a sub-agent says who asks, in one line and with nothing hidden, below what is asked", () => {
	const { view, shown } = open();
	const asked = { requestId: "p1", kind: "custom-tool", summary: "Run ls", expiresAt: "2026-01-01T00:00:00.000Z" };
	view.event({ type: "copilot:permission_request", data: { ...asked, agentId: "a1", agentName: "scout" } });
	expect(shown[0]?.text).toMatch(/^🔐 May I\? Run ls\nThe sub-agent scout asks\./);
	view.event({
		type: "copilot:permission_request",
		data: { ...asked, requestId: "p2", agentId: "a1", agentName: `a\u202e\n${"b".repeat(300)}` },
	});
	const [, who = ""] = shown.at(-1)?.text.split("\n") ?? [];
	expect([who.startsWith("The sub-agent a"), who.includes("\u202e"), who.length < 150]).toEqual([true, false, true]);
	expect(traditionalChinese.subAgentAsks("scout")).toBe("由子代理 scout 提出。");
});

const plan = {
	requestId: "q4",
	summary: "Replace it",
	plan: "# Steps",
	actions: ["autopilot", "interactive"],
	expiresAt: new Date(0).toISOString(),
};

test("[TG510] a plan comes with a button for each way to take it and one to send it back, and says what became of it", () => {
	const { view, actions, shown } = open();
	view.event({ type: "copilot:plan_request", data: plan });
	expect(shown[0]?.text).toMatch(/Replace it\n\n# Steps/);
	expect(actions).toEqual([
		{ kind: "plan", conversationId: "c1", requestId: "q4", action: "autopilot" },
		{ kind: "plan", conversationId: "c1", requestId: "q4", action: "interactive" },
		{ kind: "plan", conversationId: "c1", requestId: "q4" },
	]);
	view.event({
		type: "copilot:plan_resolved",
		data: { requestId: "q4", outcome: "answered", approved: false, feedback: "Shorter", by: "web" },
	});
	expect(shown.at(-1)?.text).toContain("Plan sent back: Shorter");
	expect(view.isAsking()).toBe(false);
	expect(traditionalChinese.planTake("autopilot")).toContain("自動");
});

test("[TG511] a reply to a plan takes it if it says yes, else sends it back with the words; a plan that is too long for a message is a file", () => {
	const { view, planned, shown } = open();
	view.plan({ ...plan, plan: "x".repeat(20_000) });
	expect(shown[0]?.text.length).toBeLessThan(4_096);
	expect(shown[0]?.text).toContain("plan.md");
	expect(view.answerTyped({ text: "Use tabs", repliedTo: 7, choicesOnly: false }, "Ann")).toBe("answered");
	expect(view.answerTyped({ text: "ok", repliedTo: 7, choicesOnly: false }, "Ann")).toBe("answered");
	expect(planned).toMatchObject([
		{ requestId: "q4", approved: false, feedback: "Use tabs", by: "telegram", from: "Ann" },
		{ requestId: "q4", approved: true },
	]);
	expect(view.answerTyped({ text: "hello", repliedTo: undefined, choicesOnly: false }, "Ann")).toBe("none");
});
