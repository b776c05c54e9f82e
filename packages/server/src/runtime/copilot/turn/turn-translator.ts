import type { SessionEvent } from "@github/copilot-sdk";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import type { RuntimeErrorData } from "./turn-error.ts";

/** Translates the runtime's events of one turn. Knows nothing of time, sending or ending. */
export interface TurnTranslator {
	handle(event: SessionEvent): void;
	/** What a sub-agent runs and uses; what it says is for the agent that called it. */
	handleSubAgent(event: SessionEvent): void;
	/** Shows a call that the runtime announces nowhere, such as one of the model that summarises. False if it is shown already. */
	beginTool(call: { toolCallId: string; toolName: string; arguments: unknown }): boolean;
	endTool(toolCallId: string, success: boolean, text: string | undefined): void;
	/** Ends every tool that is still open: the runtime says nothing about them when a turn is stopped or dies. */
	closeTools(error: string): void;
	hasOpenTools(): boolean;
	isOpenTool(toolCallId: string): boolean;
	/** The last error the runtime reported in this turn. */
	readonly error: RuntimeErrorData | undefined;
}

export interface TranslatorDeps {
	emit(event: TurnEvent): void;
	/** Our own tools' results, word for word. */
	takeResult(toolCallId: string): string | undefined;
}

/** Built-in tools may read whole files; what people see of it is cut, what the model gets is not. */
export const MAX_RESULT_CHARS = 64_000;
/** How often the runtime tries again, as measured; there is no setting for it. */
const retriesAfter = (statusCode: number | undefined) => {
	if (statusCode === 401) return 2;
	return statusCode !== undefined && [302, 400, 403, 404, 422].includes(statusCode) ? 0 : 5;
};

export function createTurnTranslator(deps: TranslatorDeps): TurnTranslator {
	const { emit } = deps;
	const openTools = new Map<string, SubAgent>();
	let openMessage: { id: string; text: string } | undefined;
	let openReasoning: string | undefined;
	let context: { contextTokens: number; contextLimit: number } | undefined;
	let failures = 0;
	let error: RuntimeErrorData | undefined;

	/** The runtime continues a cut-off answer under a new id and never ends the earlier part. */
	function endOpenMessage() {
		if (openMessage !== undefined) emit({ kind: "message-end", messageId: openMessage.id, content: openMessage.text });
		openMessage = undefined;
	}

	function addText(messageId: string, content: string) {
		if (content === "") return;
		if (openMessage?.id !== messageId) {
			endOpenMessage();
			openMessage = { id: messageId, text: "" };
		}
		openMessage.text += content;
		emit({ kind: "text-delta", messageId, content });
	}

	function addReasoning(reasoningId: string, content: string) {
		if (content === "") return;
		openReasoning = reasoningId;
		emit({ kind: "reasoning-delta", reasoningId, content });
	}

	function retry() {
		// The new attempt repeats the text under a new id; unless the old one is withdrawn the reader sees it twice.
		const reasoning = openReasoning === undefined ? {} : { reasoningId: openReasoning };
		const messageId = openMessage?.id ?? openReasoning;
		if (messageId !== undefined) emit({ kind: "message-reset", messageId, ...reasoning });
		openMessage = undefined;
		openReasoning = undefined;
	}

	/** Said at once: the event of the retry itself comes only after the pause before it, which may take half a minute. */
	function callFailed(statusCode: number | undefined) {
		failures += 1;
		const retries = retriesAfter(statusCode);
		if (failures > retries) return;
		emit(retryNotice(statusCode, failures, retries));
	}

	function endMessage(messageId: string, content: string) {
		const streamed = openMessage?.id === messageId ? openMessage.text : "";
		if (openMessage?.id === messageId) openMessage = undefined;
		else endOpenMessage();
		const whole = content === "" ? streamed : content;
		if (whole !== "") {
			if (streamed === "") emit({ kind: "text-delta", messageId, content: whole });
			emit({ kind: "message-end", messageId, content: whole });
		}
		openReasoning = undefined;
		failures = 0;
		// A prompt steered in after the failure was answered.
		error = undefined;
	}

	function beginTool(call: { toolCallId: string; toolName: string; arguments: unknown }, by: SubAgent = {}): boolean {
		if (openTools.has(call.toolCallId)) return false;
		openTools.set(call.toolCallId, by);
		emit({ kind: "tool-start", ...call, ...by });
		return true;
	}

	function endTool(toolCallId: string, success: boolean, seen: string | undefined) {
		const by = openTools.get(toolCallId);
		if (by === undefined) return;
		openTools.delete(toolCallId);
		const text = (deps.takeResult(toolCallId) ?? seen ?? "").slice(0, MAX_RESULT_CHARS).toWellFormed();
		emit(
			success
				? { kind: "tool-end", toolCallId, success, result: text, ...by }
				: { kind: "tool-end", toolCallId, success, error: text || "The tool failed.", ...by },
		);
	}

	function handleTool(event: SessionEvent) {
		switch (event.type) {
			case "tool.execution_start": {
				const { toolCallId, toolName } = event.data;
				beginTool({ toolCallId, toolName, arguments: event.data.arguments ?? {} }, subAgentOf(event));
				return;
			}
			case "tool.execution_complete":
				return endTool(event.data.toolCallId, event.data.success, event.data.result?.content ?? event.data.error?.message);
			case "assistant.usage": {
				const { inputTokens = 0, outputTokens = 0, cost = 0, model } = event.data;
				const by = event.agentId === undefined ? {} : { agentId: event.agentId };
				return emit({ kind: "usage", inputTokens, outputTokens, model, ...context, ...(cost > 0 ? { cost } : {}), ...by });
			}
			default:
				return;
		}
	}

	return {
		get error() {
			return error;
		},
		hasOpenTools: () => openTools.size > 0,
		isOpenTool: (toolCallId) => openTools.has(toolCallId),
		closeTools(message) {
			for (const [toolCallId, by] of openTools) emit({ kind: "tool-end", toolCallId, success: false, error: message, ...by });
			openTools.clear();
		},
		beginTool,
		endTool,
		handleSubAgent: handleTool,
		handle(event) {
			// Not in the SDK's union, but on the wire.
			const type: string = event.type;
			if (type === "model.turn_retry") return retry();
			switch (event.type) {
				case "assistant.message_delta":
					return addText(event.data.messageId, event.data.deltaContent);
				case "assistant.reasoning_delta":
					return addReasoning(event.data.reasoningId, event.data.deltaContent);
				case "assistant.message":
					return endMessage(event.data.messageId, event.data.content);
				case "tool.execution_start":
				case "tool.execution_complete":
				case "assistant.usage":
					return handleTool(event);
				case "session.usage_info":
					context = { contextTokens: event.data.currentTokens, contextLimit: event.data.tokenLimit };
					return;
				case "model.call_failure":
					return callFailed(event.data.statusCode);
				case "session.compaction_start":
					return emit({ kind: "notice", code: "compacting", message: "The conversation is being summarised to make room for more." });
				case "session.error":
					error = event.data;
					return;
				default:
					return;
			}
		},
	};
}

interface SubAgent {
	agentId?: string;
	parentToolCallId?: string;
}

function subAgentOf(event: Extract<SessionEvent, { type: "tool.execution_start" }>): SubAgent {
	const { agentId } = event;
	const { parentToolCallId } = event.data;
	return { ...(agentId === undefined ? {} : { agentId }), ...(parentToolCallId === undefined ? {} : { parentToolCallId }) };
}

function retryNotice(statusCode: number | undefined, attempt: number, attempts: number): TurnEvent {
	const because = statusCode === undefined ? "the connection failed" : `HTTP ${statusCode}`;
	const message = `The model did not answer (${because}). Trying again, ${attempt} of ${attempts}.`;
	return { kind: "notice", code: "retrying", message, params: { status: statusCode ?? 0, attempt, attempts } };
}
