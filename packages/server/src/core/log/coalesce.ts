import type { LogEvent } from "@rightseat/protocol/events/event";

/** A delta stops growing here and the next one begins. */
const MAX_COALESCED_CHARS = 16_384;

/** Two consecutive events as one when they are pieces of the same stream; undefined when they must stay apart. */
export function coalesce(last: LogEvent, event: LogEvent): LogEvent | undefined {
	if (last.type === "copilot:delta" && event.type === last.type && last.data.messageId === event.data.messageId) {
		const content = join(last.data.content, event.data.content);
		return content === undefined ? undefined : { type: last.type, data: { ...last.data, content } };
	}
	if (last.type === "copilot:reasoning_delta" && event.type === last.type && last.data.reasoningId === event.data.reasoningId) {
		const content = join(last.data.content, event.data.content);
		return content === undefined ? undefined : { type: last.type, data: { ...last.data, content } };
	}
	if (last.type === "copilot:tool_output" && event.type === last.type && last.data.toolCallId === event.data.toolCallId) {
		const content = join(last.data.content, event.data.content);
		return content === undefined ? undefined : { type: last.type, data: { ...last.data, content } };
	}
	if (last.type === "bash:output" && event.type === last.type && isSameOutput(last.data, event.data)) {
		const output = join(last.data.output, event.data.output);
		return output === undefined ? undefined : { type: last.type, data: { ...last.data, output } };
	}
	// Only the newest plan is drawn.
	if (last.type === "copilot:plan" && event.type === last.type) return event;
	return undefined;
}

function isSameOutput(a: { execId: string; stream: string }, b: { execId: string; stream: string }): boolean {
	return a.execId === b.execId && a.stream === b.stream;
}

function join(before: string, more: string): string | undefined {
	return before.length + more.length > MAX_COALESCED_CHARS ? undefined : before + more;
}
