import type { AssistantMetadata, RunningTurn, ToolRecord, TurnError, TurnOutcome, TurnPart, Usage } from "@rightseat/protocol/entities";
import type { EventData, LogEvent } from "@rightseat/protocol/server-frames";

/** Live output of a running tool that a snapshot carries: its end. */
export const MAX_TOOL_OUTPUT_CHARS = 16_384;

/** A running turn and the times that only memory knows. */
export interface Transcript extends RunningTurn {
	/** When the reasoning that is still going on began. */
	reasoningSince?: number;
}

export function emptyTranscript(turn: { messageId: string; userMessageId: string; startedAt: string }): Transcript {
	return { ...turn, parts: [], tools: [] };
}

/** Takes one committed event into the turn. The same fold serves the live turn and the recovery of one that a crash cut off. */
export function foldEvent(transcript: Transcript, event: LogEvent, now: number): void {
	if (event.type !== "copilot:reasoning_delta") endReasoning(transcript, now);
	switch (event.type) {
		case "copilot:delta":
			appendText(transcript, event.data.messageId, event.data.content);
			transcript.notice = undefined;
			return;
		case "copilot:reasoning_delta":
			appendReasoning(transcript, event.data, now);
			transcript.notice = undefined;
			return;
		case "copilot:message":
			setText(transcript, event.data.messageId, event.data.content);
			return;
		case "copilot:reset":
			transcript.parts = transcript.parts.filter((part) => !isWithdrawn(part, event.data));
			return;
		case "copilot:tool_start":
			startTool(transcript, event.data);
			return;
		case "copilot:tool_output":
			withTool(transcript, event.data.toolCallId, (tool) => ({
				...tool,
				output: ((tool.output ?? "") + event.data.content).slice(-MAX_TOOL_OUTPUT_CHARS),
			}));
			return;
		case "copilot:tool_end": {
			const { toolCallId, ...end } = event.data;
			withTool(transcript, toolCallId, ({ output, ...tool }) => ({ ...tool, ...end, ...keptOutput(end, output) }));
			return;
		}
		case "copilot:usage":
			transcript.usage = addUsage(transcript.usage, event.data);
			return;
		case "copilot:notice":
			transcript.notice = event.data;
			return;
		case "copilot:user_message":
		case "copilot:message_updated":
			if (event.data.metadata.delivery === "steered") transcript.parts.push({ kind: "steer", messageId: event.data.messageId });
			return;
		default:
			return;
	}
}

/** The text of the whole answer: its messages, a blank line between them. */
export function textOf(transcript: Pick<RunningTurn, "parts">): string {
	return transcript.parts.flatMap((part) => (part.kind === "text" && part.content !== "" ? [part.content] : [])).join("\n\n");
}

/** Did the model say or do anything in this turn? */
export function isUntouched(transcript: Pick<RunningTurn, "parts">): boolean {
	return transcript.parts.every((part) => part.kind === "steer");
}

export function toMetadata(
	transcript: Transcript,
	end: { outcome: TurnOutcome; error?: TurnError; now: number; model: string },
): AssistantMetadata {
	const reasoning = transcript.parts.flatMap((part) => (part.kind === "reasoning" ? [part.content] : [])).join("\n\n");
	return {
		outcome: end.outcome,
		...(reasoning === "" ? {} : { reasoning }),
		tools: transcript.tools,
		parts: transcript.parts,
		...(transcript.usage === undefined ? {} : { usage: transcript.usage }),
		...(end.error === undefined ? {} : { error: end.error }),
		model: end.model,
		durationMs: Math.max(0, end.now - Date.parse(transcript.startedAt)),
		inReplyTo: transcript.userMessageId,
	};
}

function appendText(transcript: Transcript, messageId: string, content: string): void {
	const part = transcript.parts.find((candidate) => candidate.kind === "text" && candidate.messageId === messageId);
	if (part?.kind === "text") part.content += content;
	else transcript.parts.push({ kind: "text", messageId, content });
}

function setText(transcript: Transcript, messageId: string, content: string): void {
	const part = transcript.parts.find((candidate) => candidate.kind === "text" && candidate.messageId === messageId);
	if (part?.kind === "text") part.content = content;
	else if (content !== "") transcript.parts.push({ kind: "text", messageId, content });
}

function appendReasoning(transcript: Transcript, data: EventData<"copilot:reasoning_delta">, now: number): void {
	const last = transcript.parts.at(-1);
	if (last?.kind === "reasoning" && last.reasoningId === data.reasoningId) {
		last.content += data.content;
		return;
	}
	transcript.reasoningSince = now;
	transcript.parts.push({ kind: "reasoning", reasoningId: data.reasoningId, content: data.content });
}

function endReasoning(transcript: Transcript, now: number): void {
	if (transcript.reasoningSince === undefined) return;
	const last = transcript.parts.at(-1);
	if (last?.kind === "reasoning") last.durationMs = now - transcript.reasoningSince;
	transcript.reasoningSince = undefined;
}

function isWithdrawn(part: TurnPart, reset: EventData<"copilot:reset">): boolean {
	if (part.kind === "text") return part.messageId === reset.messageId;
	return part.kind === "reasoning" && part.reasoningId === reset.reasoningId;
}

/** A result, and most errors, hold what the tool printed; a tool that was stopped has nothing else to show for it. */
function keptOutput(end: { result?: string | undefined; error?: string | undefined }, output = ""): { output?: string } {
	const lastLine = output.trimEnd().split("\n").at(-1)?.trim() ?? "";
	return lastLine === "" || end.result !== undefined || end.error?.includes(lastLine) === true ? {} : { output };
}

function startTool(transcript: Transcript, data: EventData<"copilot:tool_start">): void {
	transcript.tools.push({ ...data, arguments: data.arguments });
	transcript.parts.push({ kind: "tool", toolCallId: data.toolCallId });
}

function withTool(transcript: Transcript, toolCallId: string, change: (tool: ToolRecord) => ToolRecord): void {
	const index = transcript.tools.findIndex((tool) => tool.toolCallId === toolCallId);
	const tool = transcript.tools[index];
	if (tool !== undefined) transcript.tools[index] = change(tool);
}

/** A turn may call the model several times: tokens add up, the newest call says how full the context is. */
function addUsage(before: RunningTurn["usage"], { agentId, ...more }: EventData<"copilot:usage">): Usage {
	if (before === undefined) return more;
	return {
		...before,
		// A sub-agent's tokens count; its model and context are its own.
		...(agentId === undefined ? more : {}),
		inputTokens: before.inputTokens + more.inputTokens,
		outputTokens: before.outputTokens + more.outputTokens,
		...(before.cost === undefined && more.cost === undefined ? {} : { cost: (before.cost ?? 0) + (more.cost ?? 0) }),
	};
}
