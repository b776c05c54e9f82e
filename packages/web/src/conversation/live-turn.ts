import type { ToolRecord, TurnPart, Usage } from "@rightseat/protocol/entities";
import type { EventData } from "@rightseat/protocol/server-frames";
import type { LiveTurn } from "./conversation-view.ts";

/** Live output of one tool kept on the page, its end. */
export const MAX_TOOL_OUTPUT_CHARS = 30_000;

export function newTurn(turn: { messageId: string; userMessageId: string; startedAt: string }, now: number): LiveTurn {
	return { ...turn, parts: [], tools: [], partSince: now, settled: [] };
}

/** Begins a part; the reasoning before it, if any, has ended and gets its time. */
export function openPart(turn: LiveTurn, part: TurnPart, now: number): LiveTurn {
	const last = turn.parts.at(-1);
	const timed =
		last?.kind === "reasoning" && last.durationMs === undefined
			? turn.parts.with(-1, { ...last, durationMs: Math.max(0, now - turn.partSince) })
			: turn.parts;
	const { notice: _gone, ...rest } = turn;
	return { ...rest, parts: [...timed, part], partSince: now };
}

export function appendText(turn: LiveTurn, data: EventData<"copilot:delta">, now: number): LiveTurn {
	const index = findText(turn, data.messageId);
	const part = turn.parts[index];
	if (part?.kind !== "text") return openPart(turn, { kind: "text", messageId: data.messageId, content: data.content }, now);
	return { ...turn, parts: turn.parts.with(index, { ...part, content: part.content + data.content }) };
}

/** The whole text of one message replaces what its deltas built. */
export function setText(turn: LiveTurn, data: EventData<"copilot:message">, now: number): LiveTurn {
	const index = findText(turn, data.messageId);
	const part = turn.parts[index];
	if (part?.kind === "text") {
		return part.content === data.content ? turn : { ...turn, parts: turn.parts.with(index, { ...part, content: data.content }) };
	}
	return data.content === "" ? turn : openPart(turn, { kind: "text", messageId: data.messageId, content: data.content }, now);
}

export function appendReasoning(turn: LiveTurn, data: EventData<"copilot:reasoning_delta">, now: number): LiveTurn {
	const part = turn.parts.at(-1);
	if (part?.kind !== "reasoning" || part.reasoningId !== data.reasoningId)
		return openPart(turn, { kind: "reasoning", reasoningId: data.reasoningId, content: data.content }, now);
	return { ...turn, parts: turn.parts.with(-1, { ...part, content: part.content + data.content }) };
}

/** The runtime retried: what it said under this id is withdrawn. */
export function reset(turn: LiveTurn, data: EventData<"copilot:reset">): LiveTurn {
	const withdrawn = (part: TurnPart) =>
		(part.kind === "text" && part.messageId === data.messageId) ||
		(part.kind === "reasoning" && data.reasoningId !== undefined && part.reasoningId === data.reasoningId);
	return { ...turn, parts: turn.parts.filter((part) => !withdrawn(part)) };
}

export function startTool(turn: LiveTurn, data: EventData<"copilot:tool_start">, now: number): LiveTurn {
	const record: ToolRecord = {
		toolCallId: data.toolCallId,
		toolName: data.toolName,
		arguments: data.arguments,
		startedAt: data.startedAt ?? new Date(now).toISOString(),
	};
	const opened = openPart(turn, { kind: "tool", toolCallId: data.toolCallId }, now);
	return { ...opened, tools: [...turn.tools, record] };
}

export function toolOutput(turn: LiveTurn, data: EventData<"copilot:tool_output">): LiveTurn {
	return onTool(turn, data.toolCallId, (tool) => ({
		...tool,
		output: ((tool.output ?? "") + data.content).slice(-MAX_TOOL_OUTPUT_CHARS),
	}));
}

export function endTool(turn: LiveTurn, data: EventData<"copilot:tool_end">, now: number): LiveTurn {
	return onTool(turn, data.toolCallId, ({ output, ...tool }) => ({
		...tool,
		...(data.result === undefined && output !== undefined ? { output } : {}),
		success: data.success,
		...(data.result === undefined ? {} : { result: data.result }),
		...(data.error === undefined ? {} : { error: data.error }),
		durationMs: data.durationMs ?? Math.max(0, now - Date.parse(tool.startedAt ?? new Date(now).toISOString())),
	}));
}

function onTool(turn: LiveTurn, toolCallId: string, change: (tool: ToolRecord) => ToolRecord): LiveTurn {
	return { ...turn, tools: turn.tools.map((tool) => (tool.toolCallId === toolCallId ? change(tool) : tool)) };
}

function findText(turn: LiveTurn, messageId: string): number {
	return turn.parts.findLastIndex((part) => part.kind === "text" && part.messageId === messageId);
}

/** A turn may call the model several times: tokens add up, the newest call says how full the context is. */
export function addUsage(before: Usage | undefined, more: Usage): Usage {
	if (before === undefined) return more;
	return {
		...before,
		...more,
		inputTokens: before.inputTokens + more.inputTokens,
		outputTokens: before.outputTokens + more.outputTokens,
		...(before.cost === undefined && more.cost === undefined ? {} : { cost: (before.cost ?? 0) + (more.cost ?? 0) }),
	};
}
