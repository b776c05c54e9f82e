import type { AssistantMessage, Message, MessageTruncated, UserMessage } from "@rightseat/protocol/model/message";
import type { PlanEntry, RunningTurn, ToolRecord, TurnAsk, TurnError, TurnPart } from "@rightseat/protocol/model/turn";
import { cutText, cutTextTail } from "@rightseat/protocol/text";
import { newest, type PreviewLevel } from "../kernel/fit.ts";
import { previewDiffs } from "../kernel/preview-diffs.ts";
import { previewValue } from "../kernel/preview-value.ts";
import { previewSubAgents } from "./preview-sub-agents.ts";

/** The message with less in it, and marks that say how large the whole is. */
export function previewMessage(message: Message, level: PreviewLevel): Message {
	return message.role === "user" ? previewPrompt(message, level) : previewAnswer(message, level);
}

/** The same of a running turn: of its texts and thoughts the end stays, because what is still to come is appended to it. */
export function previewTurn(turn: RunningTurn, level: PreviewLevel): RunningTurn {
	const { parts, tools, asks, plan, error, notice, notices, subAgents, truncated: before } = turn;
	const kept = newest(parts, level.items);
	const truncated = { ...before };
	if (kept.length < parts.length) truncated.parts ??= parts.length;
	if (tools.length > level.items) truncated.tools ??= tools.length;
	if ((asks ?? []).length > level.items) truncated.asks ??= asks?.length;
	if (isPlanCut(plan, level)) truncated.plan ??= plan?.length;
	if (subAgents !== undefined && subAgents.length > level.items) truncated.subAgents ??= subAgents.length;
	return {
		...turn,
		parts: previewParts(kept, level, { isRunning: true }),
		tools: previewTools(tools, level),
		...(asks === undefined ? {} : { asks: previewAsks(asks, level) }),
		...(plan === undefined ? {} : { plan: previewPlan(plan, level) }),
		...(subAgents === undefined ? {} : { subAgents: previewSubAgents(subAgents, level) }),
		...(error === undefined ? {} : { error: previewError(error, level) }),
		...(notice === undefined ? {} : { notice: previewError(notice, level) }),
		...(notices === undefined ? {} : { notices: notices.map((one) => previewError(one, level)) }),
		...(Object.keys(truncated).length === 0 ? {} : { truncated }),
	};
}

function previewPrompt(message: UserMessage, level: PreviewLevel): UserMessage {
	const { metadata } = message;
	const truncated: MessageTruncated = { ...message.truncated };
	if (message.content.length > level.text) truncated.content ??= message.content.length;
	const { command, attachments } = metadata;
	if (command !== undefined && command.length > level.field) truncated.command ??= command.length;
	return marked(
		{
			...message,
			content: cutText(message.content, level.text),
			metadata: {
				...metadata,
				...(command === undefined ? {} : { command: cutText(command, level.field) }),
				...(attachments === undefined ? {} : { attachments: newest(attachments, level.items) }),
			},
		},
		truncated,
	);
}

function previewAnswer(message: AssistantMessage, level: PreviewLevel): AssistantMessage {
	const { content, metadata } = message;
	const { reasoning, parts = [], tools = [], asks, plan, notices, error, subAgents } = metadata;
	const kept = newest(parts, level.items);
	const truncated: MessageTruncated = { ...message.truncated };
	if (content.length > level.text) truncated.content ??= content.length;
	if (reasoning !== undefined && reasoning.length > level.text) truncated.reasoning ??= reasoning.length;
	if (kept.length < parts.length) truncated.parts ??= parts.length;
	if (tools.length > level.items) truncated.tools ??= tools.length;
	if (asks !== undefined && asks.length > level.items) truncated.asks ??= asks.length;
	if (isPlanCut(plan, level)) truncated.plan ??= plan?.length;
	if (subAgents !== undefined && subAgents.length > level.items) truncated.subAgents ??= subAgents.length;
	return marked(
		{
			...message,
			content: cutText(content, level.text),
			metadata: {
				...metadata,
				...(reasoning === undefined ? {} : { reasoning: cutText(reasoning, level.text) }),
				parts: previewParts(kept, level, { isRunning: false }),
				tools: previewTools(tools, level),
				...(asks === undefined ? {} : { asks: previewAsks(asks, level) }),
				...(plan === undefined ? {} : { plan: previewPlan(plan, level) }),
				...(subAgents === undefined ? {} : { subAgents: previewSubAgents(subAgents, level) }),
				...(notices === undefined ? {} : { notices: notices.map((one) => previewError(one, level)) }),
				...(error === undefined ? {} : { error: previewError(error, level) }),
			},
		},
		truncated,
	);
}

function marked<M extends Message>(message: M, truncated: MessageTruncated): M {
	return Object.keys(truncated).length === 0 ? message : { ...message, truncated };
}

/** All texts of the parts together get the bound: of an answer the first ones, of a running turn the last ones. */
function previewParts(parts: readonly TurnPart[], level: PreviewLevel, { isRunning }: { isRunning: boolean }): TurnPart[] {
	let left = level.text;
	// Any text of a running turn may go on: to its beginning, what follows would be appended across a hole.
	const cut = isRunning ? cutTextTail : cutText;
	function preview(part: TurnPart): TurnPart {
		if (part.kind === "tool" || part.kind === "steer") return part;
		const content = cut(part.content, left);
		left -= content.length;
		return content.length === part.content.length ? part : { ...part, content, truncated: part.truncated ?? part.content.length };
	}
	return isRunning ? parts.toReversed().map(preview).reverse() : parts.map(preview);
}

function previewTools(tools: readonly ToolRecord[], level: PreviewLevel): ToolRecord[] {
	return newest(tools, level.items).map((tool) => previewTool(tool, level.field));
}

function previewTool(tool: ToolRecord, maxChars: number): ToolRecord {
	const truncated: NonNullable<ToolRecord["truncated"]> = { ...tool.truncated };
	const preview = { ...tool };
	const size = (JSON.stringify(tool.arguments) ?? "").length;
	if (size > maxChars) {
		preview.arguments = previewValue(tool.arguments, maxChars);
		truncated.arguments ??= size;
	}
	const diffChars = (JSON.stringify(tool.diffs) ?? "").length;
	if (tool.diffs !== undefined && diffChars > maxChars) {
		preview.diffs = previewDiffs(tool.diffs, maxChars);
		truncated.diffs ??= diffChars;
	}
	for (const field of ["result", "error", "output"] as const) {
		const text = tool[field];
		if (text === undefined || text.length <= maxChars) continue;
		// Of what is still being printed the end is worth more, and more is appended to it.
		preview[field] = (field === "output" ? cutTextTail : cutText)(text, maxChars);
		truncated[field] ??= text.length;
	}
	return Object.keys(truncated).length === 0 ? tool : { ...preview, truncated };
}

function previewAsks(asks: readonly TurnAsk[], level: PreviewLevel): TurnAsk[] {
	return newest(asks, level.items).map(({ plan, ...ask }) => ({
		...ask,
		// A part of a plan would be taken for the whole.
		...(plan === undefined || plan.length > level.field ? {} : { plan }),
		text: cutText(ask.text, level.field),
		...(ask.answer === undefined ? {} : { answer: cutText(ask.answer, level.field) }),
	}));
}

/** The first steps: they say what it is about. */
function previewPlan(plan: readonly PlanEntry[], level: PreviewLevel): PlanEntry[] {
	return plan.slice(0, level.items).map((entry) => ({ ...entry, content: cutText(entry.content, level.field) }));
}
function isPlanCut(plan: readonly PlanEntry[] = [], level: PreviewLevel): boolean {
	return plan.length > level.items || plan.some(({ content }) => content.length > level.field);
}

function previewError<E extends Pick<TurnError, "message">>(error: E, level: PreviewLevel): E {
	return { ...error, message: cutText(error.message, level.field) };
}
