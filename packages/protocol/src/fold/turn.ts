import type { EventData, LogEvent } from "../events/event.ts";
import type { AssistantMessage, MessageTruncated } from "../model/message.ts";
import type { PlanEntry, RunningTurn, TurnError, TurnPart, Usage } from "../model/turn.ts";
import type { TurnOutcome } from "../model/vocabulary.ts";
import { ask, askBudget, settle, settlePlan } from "./asks.ts";
import { changesOf } from "./changes.ts";
import { endSubAgents, foldSubAgent } from "./sub-agents.ts";
import { addToolDiff, addToolOutput, endTool, startTool } from "./tools.ts";

/** Notices that stay with one answer, the first ones. */
export const MAX_TURN_NOTICES = 20;

/** What a turn is known by from its first moment. */
export interface TurnIdentity {
	messageId: string;
	userMessageId: string;
	startedAt: string;
}

/** How a turn ended, as `copilot:idle` tells it. */
export interface TurnEnding {
	outcome: TurnOutcome;
	createdAt: string;
	model?: string | undefined;
	durationMs?: number | undefined;
	error?: TurnError | undefined;
}

/** A turn in which nothing was said yet. */
export function beginTurn({ messageId, userMessageId, startedAt }: TurnIdentity): RunningTurn {
	return { messageId, userMessageId, startedAt, parts: [], tools: [] };
}

/**
 * The turn after one more event. Every reader uses this fold and no clock: the server while the turn runs and when it recovers one, the page, Telegram,
 * the fault examiner. Two folds would show two different answers.
 */
export function foldTurn(turn: RunningTurn, event: LogEvent): RunningTurn {
	const apart = foldSubAgent(progressed(turn), event);
	if (apart !== undefined) return apart;
	switch (event.type) {
		case "copilot:delta":
			return appendText(progressed(turn), event.data);
		case "copilot:message":
			return setText(progressed(turn), event.data);
		case "copilot:reasoning_delta":
			return appendReasoning(progressed(turn), event.data);
		case "copilot:reasoning_end":
			return endReasoning(turn, event.data);
		case "copilot:reset":
			return { ...turn, parts: turn.parts.filter((part) => !isWithdrawn(part, event.data)) };
		case "copilot:tool_start":
			return startTool(progressed(turn), event.data);
		case "copilot:tool_output":
			return addToolOutput(progressed(turn), event.data);
		case "copilot:tool_diff":
			return addToolDiff(progressed(turn), event.data);
		case "copilot:tool_end":
			return endTool(progressed(turn), event.data);
		case "copilot:plan":
			return setPlan(progressed(turn), event.data.entries);
		case "copilot:usage":
			return { ...turn, usage: addUsage(turn.usage, event.data) };
		case "copilot:notice":
			return notify(turn, event.data);
		case "copilot:error":
			return { ...turn, error: pickError(event.data) };
		case "copilot:user_message":
		case "copilot:message_updated":
			return placeSteered(turn, event.data.messageId, event.data.metadata.delivery === "steered");
		case "copilot:user_input_request":
			return ask(turn, event.data.requestId, { kind: "question", text: event.data.question });
		case "copilot:permission_request":
			return ask(turn, event.data.requestId, { kind: "permission", text: event.data.summary });
		case "copilot:budget_request":
			return askBudget(turn, event.data);
		case "copilot:plan_request":
			return ask(turn, event.data.requestId, { kind: "plan", text: event.data.summary, plan: event.data.plan });
		case "copilot:plan_resolved":
			return settlePlan(progressed(turn), event.data);
		case "copilot:form_request":
			return ask(turn, event.data.requestId, { kind: "question", text: event.data.message, form: event.data.source });
		case "copilot:user_input_resolved":
			return settle(progressed(turn), event.data, event.data.answer);
		case "copilot:form_resolved":
			return settle(progressed(turn), event.data, event.data.action);
		case "copilot:permission_resolved":
			return settle(progressed(turn), event.data, event.data.remembered === true ? "approve-always" : event.data.decision);
		case "copilot:budget_resolved":
			return settle(progressed(turn), event.data, event.data.decision);
		case "copilot:changes":
			return event.data.messageId === turn.messageId ? { ...turn, changes: changesOf(event.data) } : turn;
		default:
			return turn;
	}
}

/** The text of the whole answer: its messages, a blank line between them. */
export function answerText(turn: Pick<RunningTurn, "parts">): string {
	return turn.parts.flatMap((part) => (part.kind === "text" && part.content !== "" ? [part.content] : [])).join("\n\n");
}

/** The message that a turn becomes at its end: the stored one, and the one that every reader who watched shows without asking for it. */
export function finishTurn(turn: RunningTurn, end: TurnEnding): AssistantMessage {
	const reasoning = turn.parts.flatMap((part) => (part.kind === "reasoning" && part.content !== "" ? [part.content] : [])).join("\n\n");
	const error = end.error ?? turn.error;
	const truncated = wholeSizes(turn);
	return {
		...(truncated === undefined ? {} : { truncated }),
		id: turn.messageId,
		role: "assistant",
		content: answerText(turn),
		createdAt: end.createdAt,
		metadata: {
			outcome: end.outcome,
			...(reasoning === "" ? {} : { reasoning }),
			tools: turn.tools,
			parts: turn.parts,
			...(turn.subAgents === undefined ? {} : { subAgents: endSubAgents(turn.subAgents) }),
			...(turn.asks === undefined ? {} : { asks: turn.asks }),
			...(turn.plan === undefined ? {} : { plan: turn.plan }),
			...(turn.usage === undefined ? {} : { usage: turn.usage }),
			...(turn.notices === undefined ? {} : { notices: turn.notices }),
			...(error === undefined ? {} : { error }),
			...(turn.changes === undefined ? {} : { changes: turn.changes }),
			...(end.model === undefined ? {} : { model: end.model }),
			...(end.durationMs === undefined ? {} : { durationMs: end.durationMs }),
			inReplyTo: turn.userMessageId,
		},
	};
}

/** Of a reader who came with a snapshot that had only a part of the turn: how much more the stored message has, at least. */
function wholeSizes({ parts, truncated }: RunningTurn): MessageTruncated | undefined {
	const cut: MessageTruncated = { ...truncated };
	const sizeOf = (kind: "text" | "reasoning") => {
		const texts = parts.flatMap((part) => (part.kind === kind && "content" in part ? [part] : []));
		if (truncated?.parts === undefined && texts.every((part) => part.truncated === undefined)) return undefined;
		return texts.reduce((sum, part) => sum + (part.truncated ?? part.content.length), 0) + 2 * Math.max(0, texts.length - 1);
	};
	const [content, reasoning] = [sizeOf("text"), sizeOf("reasoning")];
	if (content !== undefined) cut.content = content;
	if (reasoning !== undefined && reasoning > 0) cut.reasoning = reasoning;
	return Object.keys(cut).length === 0 ? undefined : cut;
}

/** Did the model say or do anything in this turn? */
export function isUntouched(turn: Pick<RunningTurn, "parts" | "plan">): boolean {
	return turn.plan === undefined && turn.parts.every((part) => part.kind === "steer");
}

/** A turn may call the model several times: tokens add up, the newest call says how full the context is. */
function addUsage(before: Usage | undefined, data: EventData<"copilot:usage">): Usage {
	const more = pickUsage(data);
	if (before === undefined) return more;
	return {
		...before,
		// A sub-agent's tokens count; its model and context are its own.
		...(data.agentId === undefined ? more : {}),
		inputTokens: before.inputTokens + more.inputTokens,
		outputTokens: before.outputTokens + more.outputTokens,
		...(before.cost === undefined && more.cost === undefined ? {} : { cost: (before.cost ?? 0) + (more.cost ?? 0) }),
	};
}

/** Only what a usage holds, whatever else came along. */
export function pickUsage(data: Usage): Usage {
	const { inputTokens, outputTokens, model, contextTokens, contextLimit, cost } = data;
	return {
		inputTokens,
		outputTokens,
		model,
		...(contextTokens === undefined ? {} : { contextTokens }),
		...(contextLimit === undefined ? {} : { contextLimit }),
		...(cost === undefined ? {} : { cost }),
	};
}

/** Only what an error holds, whatever else came along. */
export function pickError({ code, message, params, retryable }: TurnError): TurnError {
	return { code, message, params, retryable };
}

function notify(turn: RunningTurn, { code, message, params, lasting }: EventData<"copilot:notice">): RunningTurn {
	const notice = { code, message, params };
	const known = turn.notices ?? [];
	if (lasting !== true || known.some((one) => one.code === code && one.message === message)) return { ...turn, notice };
	return { ...turn, notice, notices: [...known, notice].slice(0, MAX_TURN_NOTICES) };
}

/** A notice such as "no word from the model for a minute" is over with the next sign of life. */
function progressed(turn: RunningTurn): RunningTurn {
	if (turn.notice === undefined) return turn;
	const { notice: _over, ...rest } = turn;
	return rest;
}

/** The whole plan, also for a reader who came with a part of the one before. */
function setPlan({ truncated, ...turn }: RunningTurn, plan: PlanEntry[]): RunningTurn {
	const { plan: _part, ...cut } = truncated ?? {};
	return { ...turn, plan, ...(Object.keys(cut).length === 0 ? {} : { truncated: cut }) };
}

function appendText(turn: RunningTurn, { messageId, content }: EventData<"copilot:delta">): RunningTurn {
	const index = findText(turn, messageId);
	const part = turn.parts[index];
	if (part?.kind !== "text") return { ...turn, parts: [...turn.parts, { kind: "text", messageId, content }] };
	return { ...turn, parts: turn.parts.with(index, grown(part, content)) };
}

/** One that came only in part stays so, and its whole grows as well. */
function grown<P extends { content: string; truncated?: number | undefined }>(part: P, more: string): P {
	const longer = { ...part, content: part.content + more };
	return part.truncated === undefined ? longer : { ...longer, truncated: part.truncated + more.length };
}

/** The whole text of one message replaces what its deltas built. */
function setText(turn: RunningTurn, { messageId, content }: EventData<"copilot:message">): RunningTurn {
	const index = findText(turn, messageId);
	const part = turn.parts[index];
	if (part?.kind !== "text") return content === "" ? turn : { ...turn, parts: [...turn.parts, { kind: "text", messageId, content }] };
	if (part.content === content) return turn;
	return { ...turn, parts: turn.parts.with(index, { kind: "text", messageId, content }) };
}

function findText(turn: RunningTurn, messageId: string): number {
	return turn.parts.findLastIndex((part) => part.kind === "text" && part.messageId === messageId);
}

function appendReasoning(turn: RunningTurn, { reasoningId, content }: EventData<"copilot:reasoning_delta">): RunningTurn {
	const last = turn.parts.at(-1);
	if (last?.kind !== "reasoning" || last.reasoningId !== reasoningId || last.durationMs !== undefined)
		return { ...turn, parts: [...turn.parts, { kind: "reasoning", reasoningId, content }] };
	return { ...turn, parts: turn.parts.with(-1, grown(last, content)) };
}

function endReasoning(turn: RunningTurn, { reasoningId, durationMs }: EventData<"copilot:reasoning_end">): RunningTurn {
	const index = turn.parts.findLastIndex((part) => part.kind === "reasoning" && part.reasoningId === reasoningId);
	const part = turn.parts[index];
	return part?.kind === "reasoning" ? { ...turn, parts: turn.parts.with(index, { ...part, durationMs }) } : turn;
}

/** The runtime retried: what it said under these ids is withdrawn. */
function isWithdrawn(part: TurnPart, reset: EventData<"copilot:reset">): boolean {
	if (part.kind === "text") return part.messageId === reset.messageId;
	return part.kind === "reasoning" && reset.reasoningId !== undefined && part.reasoningId === reset.reasoningId;
}

/** A prompt that joined the turn stands where it came; one that could not be steered in after all stands in the queue instead. */
function placeSteered(turn: RunningTurn, messageId: string, isSteered: boolean): RunningTurn {
	const isHere = turn.parts.some((part) => part.kind === "steer" && part.messageId === messageId);
	if (isSteered === isHere) return turn;
	if (isSteered) return { ...turn, parts: [...turn.parts, { kind: "steer", messageId }] };
	return { ...turn, parts: turn.parts.filter((part) => part.kind !== "steer" || part.messageId !== messageId) };
}
