import type { LogEvent } from "@rightseat/protocol/events/event";
import { type Clock, isoTime } from "../kernel/clock.ts";
import { assertNever } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import { truncateText, truncateValue } from "../kernel/truncate.ts";
import type { EventLog } from "../log/event-log.ts";
import type { TurnEvent } from "../ports/agent-runtime.ts";
import { createThoughtTimer } from "./thought-timer.ts";
import { createTurnSize } from "./turn-size.ts";

/** Logs what the agent says and does in one turn, as everybody will see it: redacted, bounded, timed. */
export interface TurnRecorder {
	record(event: TurnEvent): void;
	/** How much the turn keeps so far. */
	chars(): number;
}

/** One per turn. */
export function createTurnRecorder(
	deps: { log: Pick<EventLog, "append">; clock: Clock; redactor: Redactor },
	conversationId: ConversationId,
): TurnRecorder {
	const { log, clock, redactor } = deps;
	const size = createTurnSize();
	const thoughts = createThoughtTimer(clock);
	const toolStarts = new Map<string, number>();

	function toLogEvent(event: Exclude<TurnEvent, { kind: "turn-end" }>): LogEvent {
		switch (event.kind) {
			case "text-delta":
				return { type: "copilot:delta", data: { messageId: event.messageId, content: event.content } };
			case "reasoning-delta":
				return { type: "copilot:reasoning_delta", data: { reasoningId: event.reasoningId, content: event.content } };
			case "message-reset":
				return { type: "copilot:reset", data: { messageId: event.messageId, reasoningId: event.reasoningId } };
			case "message-end":
				return { type: "copilot:message", data: { messageId: event.messageId, content: event.content } };
			case "tool-start": {
				toolStarts.set(event.toolCallId, clock.elapsed());
				const { kind: _, ...call } = event;
				const bounded = truncateValue(redactor.value(event.arguments)) ?? {};
				return { type: "copilot:tool_start", data: { ...call, arguments: bounded, startedAt: isoTime(clock.now()) } };
			}
			case "tool-output":
				return { type: "copilot:tool_output", data: { toolCallId: event.toolCallId, content: event.content } };
			case "tool-end": {
				const { kind: _, ...call } = event;
				const since = toolStarts.get(event.toolCallId);
				const durationMs = since === undefined ? undefined : Math.round(clock.elapsed() - since);
				return { type: "copilot:tool_end", data: { ...call, result: bound(call.result), error: bound(call.error), durationMs } };
			}
			case "usage": {
				const { kind: _, ...usage } = event;
				return { type: "copilot:usage", data: usage };
			}
			case "notice":
				return { type: "copilot:notice", data: { code: event.code, message: event.message, params: event.params } };
			default:
				return assertNever(event);
		}
	}
	function bound(text: string | undefined): string | undefined {
		return text === undefined ? undefined : truncateText(redactor.text(text));
	}

	return {
		record(event) {
			const thought = thoughts.endedBy(event);
			if (thought !== undefined) log.append(conversationId, { type: "copilot:reasoning_end", data: thought });
			if (event.kind === "turn-end") return;
			size.add(event);
			log.append(conversationId, toLogEvent(event));
		},
		chars: size.chars,
	};
}
