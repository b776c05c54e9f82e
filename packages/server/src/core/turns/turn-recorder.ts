import type { EventData, LogEvent } from "@rightseat/protocol/events/event";
import { cutText } from "@rightseat/protocol/text";
import { type Clock, isoTime } from "../kernel/clock.ts";
import { assertNever } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import { truncateText, truncateValue } from "../kernel/truncate.ts";
import type { EventLog } from "../log/event-log.ts";
import type { TurnEvent } from "../ports/agent-runtime.ts";
import { bySubAgent, loggedSubAgent } from "./logged-sub-agent.ts";
import { createThoughtTimer } from "./thought-timer.ts";
import { boundPlan, createTurnSize } from "./turn-size.ts";

/** Of what an agent calls one of its calls, and of the path of a file that it changes. */
const MAX_CALL_TITLE_CHARS = 1_000;
const MAX_PATH_CHARS = 4_096;
/** Of a notice, and of each value in it: an agent's own words may be among them. */
const MAX_NOTICE_CHARS = 1_000;

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

	function toLogEvent(event: Exclude<TurnEvent, { kind: "turn-end" | "title" }>): LogEvent {
		switch (event.kind) {
			case "text-delta":
				return { type: "copilot:delta", data: { messageId: event.messageId, content: event.content, ...bySubAgent(event) } };
			case "reasoning-delta":
				return { type: "copilot:reasoning_delta", data: { reasoningId: event.reasoningId, content: event.content } };
			case "message-reset":
				return { type: "copilot:reset", data: { messageId: event.messageId, reasoningId: event.reasoningId, ...bySubAgent(event) } };
			case "message-end":
				return { type: "copilot:message", data: { messageId: event.messageId, content: event.content, ...bySubAgent(event) } };
			case "subagent":
				return { type: "copilot:subagent", data: loggedSubAgent(event, { redactor, clock }) };
			case "tool-start": {
				// Again with the same id is the same call: it began when it was first heard of.
				if (!toolStarts.has(event.toolCallId)) toolStarts.set(event.toolCallId, clock.elapsed());
				const { kind: _, title, reads: _changesNothing, ...call } = event;
				const bounded = truncateValue(redactor.value(event.arguments)) ?? {};
				const named = title === undefined ? {} : { title: cutText(redactor.text(title), MAX_CALL_TITLE_CHARS) };
				return { type: "copilot:tool_start", data: { ...call, ...named, arguments: bounded, startedAt: isoTime(clock.now()) } };
			}
			case "tool-diff": {
				const { toolCallId, path, oldText, newText } = event;
				const data = { toolCallId, path: cutText(redactor.text(path), MAX_PATH_CHARS), newText: truncateText(redactor.text(newText)) };
				return {
					type: "copilot:tool_diff",
					data: oldText === undefined ? data : { ...data, oldText: truncateText(redactor.text(oldText)) },
				};
			}
			case "plan":
				return { type: "copilot:plan", data: { entries: boundPlan(redactor.value(event.entries)) } };
			case "tool-output":
				return { type: "copilot:tool_output", data: { toolCallId: event.toolCallId, content: event.content } };
			case "tool-end": {
				const { kind: _, ...call } = event;
				const since = toolStarts.get(event.toolCallId);
				const durationMs = since === undefined ? undefined : Math.round(clock.elapsed() - since);
				toolStarts.delete(event.toolCallId);
				return { type: "copilot:tool_end", data: { ...call, result: bound(call.result), error: bound(call.error), durationMs } };
			}
			case "usage": {
				const { kind: _, ...usage } = event;
				return { type: "copilot:usage", data: usage };
			}
			case "notice":
				return { type: "copilot:notice", data: boundNotice(event) };
			default:
				return assertNever(event);
		}
	}
	function boundNotice({ code, message, params, lasting }: Extract<TurnEvent, { kind: "notice" }>): EventData<"copilot:notice"> {
		const short = (text: string) => cutText(redactor.text(text), MAX_NOTICE_CHARS);
		const values = Object.entries(params ?? {}).map(([name, value]) => [name, typeof value === "string" ? short(value) : value] as const);
		return {
			...{ code, message: short(message) },
			...(params === undefined ? {} : { params: Object.fromEntries(values) }),
			...(lasting === undefined ? {} : { lasting }),
		};
	}
	function bound(text: string | undefined): string | undefined {
		return text === undefined ? undefined : truncateText(redactor.text(text));
	}

	return {
		record(event) {
			const thought = thoughts.endedBy(event);
			if (thought !== undefined) log.append(conversationId, { type: "copilot:reasoning_end", data: thought });
			if (event.kind === "turn-end" || event.kind === "title") return;
			size.add(event);
			log.append(conversationId, toLogEvent(event));
		},
		chars: size.chars,
	};
}
