import type { EventData } from "../events/event.ts";
import type { RunningTurn, ToolRecord } from "../model/turn.ts";
import { cutTextTail } from "../text.ts";
import { addSubAgentTool } from "./sub-agents.ts";

/** Live output kept of one running tool: its end. */
export const MAX_TOOL_OUTPUT_CHARS = 16_384;
/** Files whose change one call shows; the oldest give way. */
export const MAX_TOOL_DIFFS = 50;

/** A call begins, or more is known about one that runs. An id that comes again after its end is a call of its own: small models count from one every time. */
export function startTool(turn: RunningTurn, data: EventData<"copilot:tool_start">): RunningTurn {
	const { toolCallId } = data;
	const known = turn.tools.findLast((tool) => tool.toolCallId === toolCallId);
	if (known !== undefined && known.success === undefined) return onTool(turn, toolCallId, (tool) => learn(tool, data));
	const begins = { ...turn, tools: [...turn.tools, begun(data)], parts: [...turn.parts, { kind: "tool" as const, toolCallId }] };
	return addSubAgentTool(begins, data);
}

/** Live output of a call that runs. */
export function addToolOutput(turn: RunningTurn, { toolCallId, content }: EventData<"copilot:tool_output">): RunningTurn {
	return onTool(turn, toolCallId, (tool) => ({ ...tool, output: cutTextTail((tool.output ?? "") + content, MAX_TOOL_OUTPUT_CHARS) }));
}

/** What a call changes in one file: the newest word about it counts. */
export function addToolDiff(turn: RunningTurn, data: EventData<"copilot:tool_diff">): RunningTurn {
	const { toolCallId, path, oldText, newText } = data;
	const diff = { path, ...(oldText === undefined ? {} : { oldText }), newText };
	return onTool(turn, toolCallId, (tool) => {
		const before = tool.diffs ?? [];
		const index = before.findIndex((known) => known.path === path);
		return { ...tool, diffs: index < 0 ? [...before, diff].slice(-MAX_TOOL_DIFFS) : before.with(index, diff) };
	});
}

/** The call has its result, or never will. */
export function endTool(turn: RunningTurn, end: EventData<"copilot:tool_end">): RunningTurn {
	return onTool(turn, end.toolCallId, (tool) => ended(tool, end));
}

function begun(data: EventData<"copilot:tool_start">): ToolRecord {
	const { toolCallId, toolName, title, shell, startedAt, allowedBy, agentId, parentToolCallId } = data;
	return {
		toolCallId,
		toolName,
		arguments: data.arguments,
		...(title === undefined ? {} : { title }),
		...(shell === undefined ? {} : { shell }),
		...(startedAt === undefined ? {} : { startedAt }),
		...(allowedBy === undefined ? {} : { allowedBy }),
		...(agentId === undefined ? {} : { agentId }),
		...(parentToolCallId === undefined ? {} : { parentToolCallId }),
	};
}

/** When it began, and what came of it meanwhile, stays. */
function learn(tool: ToolRecord, data: EventData<"copilot:tool_start">): ToolRecord {
	const { truncated, ...known } = tool;
	const { startedAt = data.startedAt } = known;
	const { arguments: _whole, ...cut } = truncated ?? {};
	return {
		...known,
		...begun(data),
		...(startedAt === undefined ? {} : { startedAt }),
		...(Object.keys(cut).length === 0 ? {} : { truncated: cut }),
	};
}

function ended({ output, truncated, ...tool }: ToolRecord, end: EventData<"copilot:tool_end">): ToolRecord {
	const { success, result, error, durationMs } = end;
	const cut = {
		...(truncated?.arguments === undefined ? {} : { arguments: truncated.arguments }),
		...(truncated?.diffs === undefined ? {} : { diffs: truncated.diffs }),
	};
	return {
		...tool,
		...(Object.keys(cut).length === 0 ? {} : { truncated: cut }),
		success,
		...(result === undefined ? {} : { result }),
		...(error === undefined ? {} : { error }),
		...(durationMs === undefined ? {} : { durationMs }),
		...(output === undefined || repeats(end, output) ? {} : { output }),
	};
}

/** A result, and most errors, hold what the tool printed; a tool that was stopped has nothing else to show for it. */
function repeats({ result, error }: EventData<"copilot:tool_end">, output: string): boolean {
	const lastLine = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
	return lastLine === "" || result !== undefined || error?.includes(lastLine) === true;
}

function onTool(turn: RunningTurn, toolCallId: string, change: (tool: ToolRecord) => ToolRecord): RunningTurn {
	const index = turn.tools.findLastIndex((tool) => tool.toolCallId === toolCallId);
	const tool = turn.tools[index];
	return tool === undefined ? turn : { ...turn, tools: turn.tools.with(index, change(tool)) };
}
