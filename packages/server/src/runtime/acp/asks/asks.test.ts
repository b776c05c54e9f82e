import { expect, test } from "vitest";
import type { AskUser, AskUserAnswer } from "../../../core/ports/agent-runtime.ts";
import type { Card } from "../turn/cards.ts";
import { createApprovals, readPermissionOptions, toOutcome, toPermitRequest } from "./permissions.ts";
import { answerElicitation, questionsIn } from "./questions.ts";

const card = (more: Partial<Card>): Card => ({
	...{ toolCallId: "t", toolName: "execute", title: "ls", ours: undefined, kind: "execute", input: { command: "ls -l" } },
	...{ isShown: true, isCalled: false, isEnded: false, shown: "", collected: "", diffs: new Map() },
	...more,
});
const never = new AbortController().signal;

test("[AC40] a decision becomes the answer that holds once; a request that offers none is taken back", () => {
	const options = readPermissionOptions([
		{ optionId: "always", kind: "allow_always" },
		{ optionId: "yes", kind: "allow_once" },
		{ optionId: "no", kind: "reject_once" },
		{ kind: "allow_once" },
		null,
	]);
	expect(toOutcome(options, true)).toEqual({ outcome: { outcome: "selected", optionId: "yes" } });
	expect(toOutcome(options, false)).toEqual({ outcome: { outcome: "selected", optionId: "no" } });
	expect(toOutcome(readPermissionOptions([{ optionId: "always", kind: "allow_always" }]), true)).toEqual({
		outcome: { outcome: "cancelled" },
	});
	expect(toOutcome(readPermissionOptions("odd"), false)).toEqual({ outcome: { outcome: "cancelled" } });
});

test("[AC41] a request says in a line what would be done, with the whole of it as detail", () => {
	expect(toPermitRequest(card({}))).toEqual({ kind: "shell", summary: "Run ls -l", toolName: "execute", toolCallId: "t", detail: "ls -l" });
	const diffs = new Map([["/a", { path: "/a", newText: "new" }]]);
	expect(toPermitRequest(card({ kind: "edit", toolName: "edit", input: undefined, diffs }))).toMatchObject({
		kind: "write",
		summary: "Write /a",
		detail: "new",
	});
	expect(toPermitRequest(card({ ours: "Bash", toolName: "Bash", kind: undefined }))).toMatchObject({
		kind: "custom-tool",
		toolName: "Bash",
		summary: "Run ls -l",
	});
	expect(toPermitRequest(card({ kind: undefined, title: undefined, input: undefined, toolName: "tool" }))).toEqual({
		...{ kind: "other", summary: "Use tool", toolName: "tool", toolCallId: "t" },
	});
});

test("[AC42] an approval of the agent's own request is used once, for the same call, in the same turn", () => {
	const approvals = createApprovals();
	const call = { toolName: "Bash", input: { command: "ls" } };
	approvals.grant(call);
	expect(approvals.take({ toolName: "Bash", input: { command: "rm -r ." } })).toBe(false);
	expect([approvals.take(call), approvals.take(call)]).toEqual([true, false]);
	approvals.grant(call);
	approvals.endTurn();
	expect(approvals.take(call)).toBe(false);
});

test("[AC43] what was allowed for the session is not asked again: a command word for word, writing as such", () => {
	const approvals = createApprovals();
	const run = toPermitRequest(card({}));
	approvals.remember(run, { kind: "approve-once" });
	expect(approvals.recall(run)).toBeUndefined();
	approvals.remember(run, { kind: "approve-for-session" });
	expect(approvals.recall(run)).toEqual({ kind: "approve-once" });
	expect(approvals.recall(toPermitRequest(card({ input: { command: "rm -r ." } })))).toBeUndefined();
});

test.each(["read", "edit"])("[AC250] a call of our shell that an agent calls %s is not let through by a permission for that", (kind) => {
	const approvals = createApprovals();
	approvals.remember(toPermitRequest(card({ kind, input: { path: "/a" } })), { kind: "approve-for-session" });
	const ours = toPermitRequest(card({ kind, ours: "Bash", toolName: "Bash", input: { command: "rm -r ." } }));
	expect([ours.kind, approvals.recall(ours)]).toEqual(["custom-tool", undefined]);
});

test("[AC253] a command that an agent calls reading is allowed word for word, and not by a permission to read", () => {
	const approvals = createApprovals();
	approvals.remember(toPermitRequest(card({ kind: "read", input: { path: "/a" } })), { kind: "approve-for-session" });
	const cat = toPermitRequest(card({ kind: "read", input: { command: ["bash", "-lc", "cat a; rm -r ."] } }));
	expect([cat.kind, approvals.recall(cat)]).toEqual(["shell", undefined]);
	expect(toPermitRequest(card({ kind: "edit", input: { command: "create", path: "/a" } })).kind).toBe("write");
});

test("[AC251] a question beside a command does not make an answer of the permission", () => {
	expect(questionsIn({ command: "rm -r .", questions: [{ question: "Which?" }] })).toBeUndefined();
	expect(questionsIn({ questions: [{ question: "Which?" }], metadata: { source: "x" } })).toHaveLength(1);
});

test("[AC44] a form is asked field by field, with its choices and room for other words", async () => {
	const asked: AskUser[] = [];
	const answers = ["that", "words of mine", "Yes"];
	const form = {
		mode: "form",
		message: "Which way?",
		requestedSchema: {
			type: "object",
			properties: {
				q0: {
					type: "string",
					title: "First",
					oneOf: [
						{ const: "a", title: "this" },
						{ const: "b", title: "that" },
					],
				},
				q0_custom: { type: "string" },
				q1: { type: "string", enum: ["x", "y"] },
				q1_custom: { type: "string" },
				q2: { type: "boolean", title: "Sure?" },
			},
		},
	};
	const answer = await answerElicitation(
		form,
		async (question) => {
			asked.push(question);
			return { answer: answers[asked.length - 1] ?? "", wasFreeform: false };
		},
		never,
	);
	expect(answer).toEqual({ action: "accept", content: { q0: "b", q1_custom: "words of mine", q2: true } });
	expect(asked).toEqual([
		{ question: "Which way?\n\nFirst", choices: ["this", "that"], allowFreeform: true },
		{ question: "Which way?", choices: ["x", "y"], allowFreeform: true },
		{ question: "Which way?\n\nSure?", choices: ["Yes", "No"], allowFreeform: false },
	]);
});

test("[AC454] of several questions each is asked in its own words, with what is said of its choices, and several may be chosen", async () => {
	const asked: AskUser[] = [];
	const options = [{ const: "Red", title: "Red", description: "warm" }, { const: "Blue" }];
	const properties = {
		q0: { type: "string", title: "Colour", description: "Which colour?", oneOf: options },
		q0_custom: { type: "string", title: "Other" },
		q1: { type: "array", title: "Parts", description: "Which parts?", items: { anyOf: options } },
		q1_custom: { type: "string", title: "Other" },
	};
	const say = (answers: string[]) =>
		answerElicitation(
			{ mode: "form", message: "Please answer.", requestedSchema: { properties } },
			async (question) => {
				asked.push(question);
				return { answer: answers[(asked.length - 1) % 2] ?? "", wasFreeform: true };
			},
			never,
		);
	expect(await say(["Red", "blue, Red"])).toEqual({ action: "accept", content: { q0: "Red", q1: ["Blue", "Red"] } });
	expect(asked).toEqual([
		{ question: "Please answer.\n\nColour: Which colour?\n\n- Red: warm", choices: ["Red", "Blue"], allowFreeform: true },
		{
			question: "Parts: Which parts?\n\n- Red: warm\n\nMore than one may be chosen: write them with commas between.",
			choices: ["Red", "Blue"],
			allowFreeform: true,
		},
	]);
	expect(await say(["none of these", "Blue"])).toEqual({ action: "accept", content: { q0_custom: "none of these", q1: ["Blue"] } });
	expect(await say(["Blue", "Red, and green"])).toMatchObject({ content: { q0: "Blue", q1_custom: "Red, and green" } });
});

test("[AC350] a form that nobody answers is cancelled with its first unanswered field, and nobody is asked for the rest", async () => {
	const asked: string[] = [];
	const properties = Object.fromEntries(["a", "b", "c"].map((name) => [name, { type: "string", title: name }]));
	const ask = async ({ question }: AskUser): Promise<AskUserAnswer> => {
		asked.push(question);
		return asked.length === 1 ? { answer: "one", wasFreeform: true } : { answer: "Timed out.", wasFreeform: true, isUnanswered: true };
	};
	expect(await answerElicitation({ mode: "form", message: "Which?", requestedSchema: { properties } }, ask, never)).toEqual({
		action: "cancel",
	});
	expect(asked).toEqual(["Which?\n\na", "Which?\n\nb"]);
});

test.each([
	[
		{ answer: "Yes", wasFreeform: false },
		{ action: "accept", content: {} },
	],
	[{ answer: "No", wasFreeform: false }, { action: "decline" }],
	[{ answer: "Timed out.", wasFreeform: true, isUnanswered: true as const }, { action: "cancel" }],
])("[AC351] a form without a field is a yes or a no that a person says: %j", async (given, expected) => {
	for (const requestedSchema of [undefined, 7, {}, { properties: {} }]) {
		const asked: AskUser[] = [];
		const ask = async (question: AskUser): Promise<AskUserAnswer> => {
			asked.push(question);
			return given;
		};
		expect(await answerElicitation({ mode: "form", message: "Delete it all?", requestedSchema }, ask, never)).toEqual(expected);
		expect(asked).toEqual([{ question: "Delete it all?", choices: ["Yes", "No"], allowFreeform: false }]);
	}
});

test("[AC44] a page to open is shown only if it is one of the web", async () => {
	const ask = async () => ({ answer: "Done", wasFreeform: false });
	expect(await answerElicitation({ mode: "url", message: "Open.", url: "https://example.org/x" }, ask, never)).toEqual({
		action: "accept",
		content: {},
	});
	for (const url of ["javascript:alert(1)", "file:///etc/passwd", "", 7]) {
		expect(await answerElicitation({ mode: "url", url }, ask, never)).toEqual({ action: "decline" });
	}
});

test("[AC45] questions that come as a permission request are questions", () => {
	expect(questionsIn({ questions: [{ question: "Which?", options: [{ label: "a" }, "b"] }, { question: "Why?" }] })).toEqual([
		{ question: "Which?", choices: ["a", "b"], allowFreeform: true },
		{ question: "Why?", allowFreeform: true },
	]);
	expect(questionsIn({ command: "ls" })).toBeUndefined();
});
