import type { SessionEvent } from "@github/copilot-sdk";
import type { Usage } from "@rightseat/protocol/model/turn";
import type { BySubAgent, TurnEvent } from "../../../core/ports/agent-runtime.ts";
import type { CallInput } from "./shown-calls.ts";
import type { RuntimeErrorData } from "./turn-error.ts";

/** What must be remembered of a turn's events to translate the next one. */
export interface Translation {
	/** The text that streams now. */
	message?: { id: string; text: string } | undefined;
	reasoningId?: string | undefined;
	context?: { contextTokens: number; contextLimit: number };
	/** Calls of the model that failed in a row. */
	failures: number;
	/** The last error the runtime reported in this turn. */
	error?: RuntimeErrorData | undefined;
}

interface Translated {
	state: Translation;
	events: TurnEvent[];
}

/** How often the runtime tries again, as measured; there is no setting for it. */
const retriesAfter = (statusCode: number | undefined) => {
	if (statusCode === 401) return 2;
	return statusCode !== undefined && [302, 400, 403, 404, 422].includes(statusCode) ? 0 : 5;
};

/** Told before a summary is made. */
export const COMPACTING: TurnEvent = {
	kind: "notice",
	code: "compacting",
	message: "The conversation is being summarised to make room for more.",
};

/** What an event of the runtime says, tool calls excepted. Knows nothing of time, sending or ending. */
export function translate(state: Translation, event: SessionEvent): Translated {
	// Sub-agents report to the agent, not to the reader; but what they use is paid for.
	if (event.agentId !== undefined && event.type !== "assistant.usage") return { state, events: [] };
	// Not in the SDK's union, but on the wire.
	const type: string = event.type;
	if (type === "model.turn_retry") return retry(state);
	switch (event.type) {
		case "assistant.message_delta":
			return addText(state, event.data.messageId, event.data.deltaContent);
		case "assistant.reasoning_delta":
			return addReasoning(state, event.data.reasoningId, event.data.deltaContent);
		case "assistant.message":
			return endMessage(state, event.data.messageId, event.data.content);
		case "assistant.usage": {
			const by = event.agentId === undefined ? {} : { agentId: event.agentId };
			return { state, events: [{ kind: "usage", ...usageOf(event.data), ...state.context, ...by }] };
		}
		case "session.usage_info":
			return { state: { ...state, context: { contextTokens: event.data.currentTokens, contextLimit: event.data.tokenLimit } }, events: [] };
		case "model.call_failure":
			return callFailed(state, event.data.statusCode);
		case "session.compaction_start":
			return { state, events: [COMPACTING] };
		case "session.task_complete":
			return complete(state, `complete-${event.id}`, event.data.summary ?? "");
		case "session.error":
			return { state: { ...state, error: event.data }, events: [] };
		default:
			return { state, events: [] };
	}
}

/** What one call of the model used; a cost of nothing is none that was told. */
export function usageOf({ inputTokens = 0, outputTokens = 0, cost = 0, model }: UsageData): Usage {
	return { inputTokens, outputTokens, model, ...(cost > 0 ? { cost } : {}) };
}
type UsageData = Extract<SessionEvent, { type: "assistant.usage" }>["data"];

/** The announcement or the end of a tool call, of the agent's or a sub-agent's; undefined for every other event. */
export function toCallInput(event: SessionEvent): CallInput | undefined {
	switch (event.type) {
		case "tool.execution_start": {
			const { toolCallId, toolName } = event.data;
			return { kind: "announced", call: { toolCallId, toolName, arguments: event.data.arguments ?? {} }, by: subAgentOf(event) };
		}
		case "tool.execution_complete": {
			const { toolCallId, success } = event.data;
			return { kind: "completed", toolCallId, success, text: event.data.result?.content ?? event.data.error?.message ?? "" };
		}
		default:
			return undefined;
	}
}

function addText(state: Translation, id: string, content: string): Translated {
	if (content === "") return { state, events: [] };
	const open = state.message;
	const delta: TurnEvent = { kind: "text-delta", messageId: id, content };
	if (open?.id === id) return { state: { ...state, message: { id, text: open.text + content } }, events: [delta] };
	return { state: { ...state, message: { id, text: content } }, events: [...endOf(open), delta] };
}

/** The runtime continues a cut-off answer under a new id and never ends the earlier part. */
const endOf = (open: Translation["message"]): TurnEvent[] =>
	open === undefined ? [] : [{ kind: "message-end", messageId: open.id, content: open.text }];

function addReasoning(state: Translation, reasoningId: string, content: string): Translated {
	if (content === "") return { state, events: [] };
	return { state: { ...state, reasoningId }, events: [{ kind: "reasoning-delta", reasoningId, content }] };
}

function endMessage(state: Translation, messageId: string, content: string): Translated {
	const open = state.message;
	const streamed = open?.id === messageId ? open.text : "";
	const whole = content === "" ? streamed : content;
	const events = open?.id === messageId ? [] : endOf(open);
	if (whole !== "" && streamed === "") events.push({ kind: "text-delta", messageId, content: whole });
	if (whole !== "") events.push({ kind: "message-end", messageId, content: whole });
	// Whatever failed before, a prompt that was steered in afterwards is answered now.
	return { state: { ...state, message: undefined, reasoningId: undefined, failures: 0, error: undefined }, events };
}

/** What the agent says at the end of a task is the last word of its answer. */
function complete(state: Translation, messageId: string, summary: string): Translated {
	if (summary.trim() === "") return { state, events: [] };
	const said: TurnEvent[] = [
		{ kind: "text-delta", messageId, content: summary },
		{ kind: "message-end", messageId, content: summary },
	];
	return { state: { ...state, message: undefined }, events: [...endOf(state.message), ...said] };
}

/** The new attempt repeats the text under a new id; unless the old one is withdrawn the reader sees it twice. */
function retry(state: Translation): Translated {
	const { message, reasoningId } = state;
	const messageId = message?.id ?? reasoningId;
	const events: TurnEvent[] =
		messageId === undefined ? [] : [{ kind: "message-reset", messageId, ...(reasoningId === undefined ? {} : { reasoningId }) }];
	return { state: { ...state, message: undefined, reasoningId: undefined }, events };
}

/** Announced now: the event of the retry itself comes only after the backoff, which may take half a minute. */
function callFailed(state: Translation, statusCode: number | undefined): Translated {
	const failures = state.failures + 1;
	const retries = retriesAfter(statusCode);
	return { state: { ...state, failures }, events: failures > retries ? [] : [retryNotice(statusCode, failures, retries)] };
}

function retryNotice(statusCode: number | undefined, attempt: number, attempts: number): TurnEvent {
	const because = statusCode === undefined ? "the connection failed" : `HTTP ${statusCode}`;
	const message = `The model did not answer (${because}). Trying again, ${attempt} of ${attempts}.`;
	return { kind: "notice", code: "retrying", message, params: { status: statusCode ?? 0, attempt, attempts } };
}

function subAgentOf(event: Extract<SessionEvent, { type: "tool.execution_start" }>): BySubAgent {
	const { agentId } = event;
	const { parentToolCallId } = event.data;
	return { ...(agentId === undefined ? {} : { agentId }), ...(parentToolCallId === undefined ? {} : { parentToolCallId }) };
}
