import type { ConversationState } from "@rightseat/protocol/fold/conversation";
import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { PermissionRequest, PlanRequest, Question } from "@rightseat/protocol/model/ask";
import type { BudgetRequest } from "@rightseat/protocol/model/budget";
import type { FormRequest } from "@rightseat/protocol/model/form";
import { describeReached, limitKind } from "@rightseat/protocol/sentences/describe-reached";
import { inboxSentences } from "@rightseat/protocol/sentences/inbox-sentences";
import { sayCoded } from "@rightseat/protocol/sentences/say-coded";
import { visibleCommand } from "@rightseat/protocol/visible-command";
import type { Words } from "../words.ts";
import type { Paint } from "./colour.ts";
import { describeForm } from "./form-filling.ts";
import { safeLine, safeText } from "./safe-text.ts";

/** Something that waits for a person. */
export type Ask =
	| { kind: "question"; request: Question }
	| { kind: "permission"; request: PermissionRequest }
	| { kind: "plan"; request: PlanRequest }
	| { kind: "form"; request: FormRequest }
	| { kind: "budget"; request: BudgetRequest };

/** What waits for a person in a conversation, oldest first within a kind. */
export const asksOf = ({
	questions,
	permissions,
	plans,
	forms,
	budgets,
}: Pick<ConversationState, "questions" | "permissions" | "plans" | "forms" | "budgets">): Ask[] => [
	...questions.map((request): Ask => ({ kind: "question", request })),
	...permissions.map((request): Ask => ({ kind: "permission", request })),
	...plans.map((request): Ask => ({ kind: "plan", request })),
	...forms.map((request): Ask => ({ kind: "form", request })),
	...budgets.map((request): Ask => ({ kind: "budget", request })),
];

/** Of what a permission is asked for; the rest is counted, and such a request is not allowed from here. */
const MAX_DETAIL_LINES = 60;

/** What a person has to know to answer, line by line. */
export function describeAsk(ask: Ask, { words, paint }: { words: Words; paint: Paint }): string[] {
	if (ask.kind === "question") {
		const { question, choices = [], allowFreeform } = ask.request;
		const [first = "", ...rest] = safeText(question).split("\n");
		return [
			`${paint("?", "yellow", "bold")} ${paint(first, "bold")}`,
			...rest.map((line) => `  ${line}`),
			...choices.map((choice, index) => `  ${paint(`${index + 1}`, "cyan")}  ${safeText(choice).replaceAll("\n", " ")}`),
			paint(`  ${choices.length === 0 ? words.answerFreely : allowFreeform ? words.answerNumberOrText : words.answerNumber}`, "dim"),
		];
	}
	if (ask.kind === "plan") return describePlan(ask.request, { words, paint });
	if (ask.kind === "form") return describeForm(ask.request, { words, paint });
	if (ask.kind === "budget") {
		const { used, limit } = ask.request;
		const coded = {
			code: "budget-reached",
			message: describeReached(ask.request),
			params: { reason: limitKind(ask.request), used, limit },
		};
		return [
			`${paint("?", "yellow", "bold")} ${paint(sayCoded(coded, words.language, inboxSentences), "bold")}`,
			paint(`  ${words.budgetKeys(nextLimit(ask.request))}`, "dim"),
		];
	}
	const { summary, detail, agentId, agentName = agentId } = ask.request;
	const rules = isWhole(ask.request) ? (ask.request.remember ?? []) : [];
	const lines = detail === undefined ? [] : visibleCommand(detail).split("\n");
	return [
		`${paint("?", "yellow", "bold")} ${paint(`${words.allow} ${visibleCommand(summary).replaceAll("\n", " ")}`, "bold")}`,
		...(agentName === undefined ? [] : [paint(`  ${words.askedBy(safeLine(agentName))}`, "dim")]),
		...lines.slice(0, MAX_DETAIL_LINES).map((line) => `  ${line}`),
		...rules.map((rule) => `  ${visibleCommand(words.allowHere(rule)).replaceAll("\n", " ")}`),
		paint(`  ${isWhole(ask.request) ? (rules.length > 0 ? words.allowKeysHere : words.allowKeys) : words.allowElsewhere}`, "dim"),
	];
}

/** The whole plan: a person takes what is on the screen. */
function describePlan({ summary, plan, actions }: PlanRequest, { words, paint }: { words: Words; paint: Paint }): string[] {
	const lines = [summary, plan].filter((text) => text.trim() !== "").flatMap((text) => ["", ...safeText(text).split("\n")]);
	return [
		`${paint("?", "yellow", "bold")} ${paint(words.plan, "bold")}`,
		...lines.map((line) => `  ${line}`),
		"",
		...actions.map((action, index) => `  ${paint(`${index + 1}`, "cyan")}  ${safeText(action).replaceAll("\n", " ")}`),
		paint(`  ${words.planKeys}`, "dim"),
	];
}

/** A number or the name of an action takes it, `y` as usual; `n` sends it back, and so does anything else, as the words to go with it. */
function decidePlan({ requestId, actions }: PlanRequest, text: string, conversationId: string): ClientFrame | undefined {
	if (text === "") return undefined;
	const of = { conversationId, requestId };
	const action = (/^\d+$/.test(text) ? actions[Number(text) - 1] : undefined) ?? actions.find((each) => each === text.toLowerCase());
	if (action !== undefined) return { type: "copilot:plan_response", data: { ...of, approved: true, action } };
	if (/^\d+$/.test(text)) return undefined;
	const decision = DECISIONS.find(([letters]) => letters.includes(text.toLowerCase()))?.[1];
	if (decision === "approve-once") return { type: "copilot:plan_response", data: { ...of, approved: true } };
	const feedback = decision === "reject" ? {} : { feedback: text };
	return { type: "copilot:plan_response", data: { ...of, approved: false, ...feedback } };
}

/** As much again as the limit was. */
const nextLimit = ({ used, limit }: BudgetRequest) => used + Math.max(limit, 1);

/** Nobody allows what they have not seen whole. */
const isWhole = ({ detail = "", truncated }: PermissionRequest) => truncated === undefined && detail.split("\n").length <= MAX_DETAIL_LINES;

/** The answer that a person typed, as a frame; undefined: it fits nothing that was offered. */
export function answerTo(ask: Exclude<Ask, { kind: "form" }>, typed: string, conversationId: string): ClientFrame | undefined {
	const text = typed.trim();
	const { requestId } = ask.request;
	if (ask.kind === "budget") return decideBudget(ask.request, text, conversationId);
	if (ask.kind === "plan") return decidePlan(ask.request, text, conversationId);
	if (ask.kind === "permission") {
		const data = { conversationId, requestId };
		if (text.toLowerCase() === "r" && ask.request.remember !== undefined && isWhole(ask.request))
			return { type: "copilot:permission_response", data: { ...data, decision: "approve-once", remember: true } };
		const decision = DECISIONS.find(([letters]) => letters.includes(text.toLowerCase()))?.[1];
		if (decision === undefined || (decision !== "reject" && !isWhole(ask.request))) return undefined;
		return { type: "copilot:permission_response", data: { ...data, decision } };
	}
	const { choices = [], allowFreeform } = ask.request;
	const chosen =
		(/^\d+$/.test(text) ? choices[Number(text) - 1] : undefined) ?? choices.find((choice) => choice.toLowerCase() === text.toLowerCase());
	if (text === "" || (chosen === undefined && !allowFreeform && choices.length > 0)) return undefined;
	const data = { conversationId, requestId, answer: chosen ?? typed, wasFreeform: chosen === undefined };
	return { type: "copilot:user_input_response", data };
}

function decideBudget(request: BudgetRequest, text: string, conversationId: string): ClientFrame | undefined {
	const { requestId } = request;
	const decision = BUDGET_DECISIONS.find(([letters]) => letters.includes(text.toLowerCase()))?.[1];
	const data = { conversationId, requestId };
	if (decision === "raise") return { type: "copilot:budget_response", data: { ...data, decision, limit: nextLimit(request) } };
	if (decision !== undefined) return { type: "copilot:budget_response", data: { ...data, decision } };
	const limit = Number(text.replaceAll(/[\s,_]/g, ""));
	if (text === "" || !(limit > request.used)) return undefined;
	return { type: "copilot:budget_response", data: { ...data, decision: "raise", limit } };
}
const BUDGET_DECISIONS: readonly (readonly [readonly string[], "once" | "raise" | "stop"])[] = [
	[["o", "once", "y", "yes", "好"], "once"],
	[["r", "raise", "提高"], "raise"],
	[["s", "stop", "n", "no", "停"], "stop"],
];

type Decision = Extract<ClientFrame, { type: "copilot:permission_response" }>["data"]["decision"];
const DECISIONS: readonly (readonly [readonly string[], Decision])[] = [
	[["y", "yes", "好", "是"], "approve-once"],
	[["a", "always", "都好"], "approve-for-session"],
	[["n", "no", "不", "否"], "reject"],
];
