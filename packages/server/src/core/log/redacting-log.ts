import type { LogEvent } from "@rightseat/protocol/events/event";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { StreamRedactor } from "../kernel/redact-stream.ts";
import type { EventLog } from "./event-log.ts";

/** Streams with something that waits; one more and the oldest gives out what it has. */
export const MAX_OPEN_STREAMS = 1_024;

/** The log as everybody who appends sees it: what passes has no secret of ours in it, also when it comes in pieces. */
export interface RedactingLog extends EventLog {
	/** The turn ends: what waited for the next piece of it goes out. */
	releaseTurn(conversationId: ConversationId): void;
}

interface OpenStream {
	conversationId: ConversationId;
	redactor: StreamRedactor;
	/** The same event with other text. */
	event(text: string): LogEvent;
	kind: StreamKind;
}
/** Text and reasoning are the answer: their order among the parts of the turn is seen. */
type StreamKind = "answer" | "tool" | "command";

/** A stage before the log: stored, folded and shown is what leaves it, so all three say the same. */
export function createRedactingLog(log: EventLog, redactor: Redactor): RedactingLog {
	let open = new Map<string, OpenStream>();

	function end(key: string, stream: OpenStream): void {
		open.delete(key);
		const rest = stream.redactor.rest();
		if (rest !== "") log.append(stream.conversationId, stream.event(rest));
	}
	function endWhere(conversationId: ConversationId, ends: (key: string, stream: OpenStream) => boolean): void {
		for (const [key, stream] of open) if (stream.conversationId === conversationId && ends(key, stream)) end(key, stream);
	}

	function appendPiece(conversationId: ConversationId, piece: Piece): void {
		const key = `${conversationId} ${piece.key}`;
		// When the answer continues with something else, what came before it must be logged first.
		if (piece.kind === "answer") endWhere(conversationId, (other, stream) => stream.kind === "answer" && other !== key);
		const stream = open.get(key) ?? { conversationId, redactor: redactor.stream(), event: piece.event, kind: piece.kind };
		const text = stream.redactor.take(piece.text);
		if (stream.redactor.isWaiting()) open.set(key, stream);
		else open.delete(key);
		if (text !== "") log.append(conversationId, redactor.value(piece.event(text)));
		const oldest = open.entries().next();
		if (open.size > MAX_OPEN_STREAMS && oldest.done !== true) end(...oldest.value);
	}

	return {
		append(conversationId, event) {
			const piece = pieceOf(event);
			if (piece !== undefined) return appendPiece(conversationId, piece);
			const ended = endedBy(event);
			if (open.size > 0)
				endWhere(conversationId, (key, stream) => (stream.kind === "answer" ? ended.answer : key === `${conversationId} ${ended.key}`));
			log.append(conversationId, redactor.value(event));
		},
		commit(work) {
			const before = new Map(open);
			try {
				return log.commit(work);
			} catch (error) {
				// Nothing happened, so what went out in there waits again.
				open = before;
				throw error;
			}
		},
		releaseTurn: (conversationId) => endWhere(conversationId, (_, stream) => stream.kind !== "command"),
		together: (write, work) => log.together(write, work),
		flush: () => log.flush(),
		overflowing: () => log.overflowing(),
		close: () => log.close(),
	};
}

interface Piece {
	key: string;
	text: string;
	kind: StreamKind;
	event(text: string): LogEvent;
}

function pieceOf(event: LogEvent): Piece | undefined {
	switch (event.type) {
		case "copilot:delta": {
			const { type, data } = event;
			return {
				key: `text ${data.messageId}`,
				text: data.content,
				// A sub-agent's words come between those of others and are no part of the answer.
				kind: data.agentId === undefined ? "answer" : "tool",
				event: (content) => ({ type, data: { ...data, content } }),
			};
		}
		case "copilot:reasoning_delta": {
			const { type, data } = event;
			const key = `reasoning ${data.reasoningId}`;
			return { key, text: data.content, kind: "answer", event: (content) => ({ type, data: { ...data, content } }) };
		}
		case "copilot:tool_output": {
			const { type, data } = event;
			return {
				key: `tool ${data.toolCallId}`,
				text: data.content,
				kind: "tool",
				event: (content) => ({ type, data: { ...data, content } }),
			};
		}
		case "bash:output": {
			const { type, data } = event;
			return { key: `exec ${data.execId}`, text: data.output, kind: "command", event: (output) => ({ type, data: { ...data, output } }) };
		}
		default:
			return undefined;
	}
}

/** Which streams this event ends: one by its key, and whether the answer so far must stand before it. */
function endedBy(event: LogEvent): { key?: string; answer: boolean } {
	switch (event.type) {
		case "copilot:tool_end":
			return { key: `tool ${event.data.toolCallId}`, answer: false };
		case "bash:done":
			return { key: `exec ${event.data.execId}`, answer: false };
		case "copilot:message":
		case "copilot:reset":
			return { key: `text ${event.data.messageId}`, answer: event.data.agentId === undefined };
		case "copilot:user_message":
		case "copilot:message_updated":
			return { answer: event.data.metadata.delivery === "steered" };
		// These come at any time and add nothing to the turn; a key that is being written must not be torn in two by them.
		case "bash:start":
		case "bash:context":
		case "bash:job":
		case "copilot:queue":
		case "copilot:message_removed":
		case "copilot:notice":
		case "copilot:usage":
		case "copilot:plan":
		case "copilot:todos":
		case "copilot:tool_diff":
		case "copilot:subagent":
			return { answer: false };
		default:
			return { answer: true };
	}
}
