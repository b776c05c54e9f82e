import { formatDuration } from "@rightseat/protocol/duration";
import { type ConversationState, emptyState, foldConversation, fromSnapshot, type Snapshot } from "@rightseat/protocol/fold/conversation";
import type { LoggedFrame } from "@rightseat/protocol/frames/server";
import type { ToolRecord } from "@rightseat/protocol/model/turn";
import { type Ask, asksOf, describeAsk } from "./asks.ts";
import { besideRows, todoRows } from "./beside-rows.ts";
import type { Look } from "./look.ts";
import { createMarkdown, type MarkdownStream } from "./markdown.ts";
import { doneRow, messageRows, outputRows, promptRows } from "./message-rows.ts";
import { safeLine } from "./safe-text.ts";
import { toolLine } from "./tool-line.ts";

/** Calls that can be opened by their number. */
const MAX_NUMBERED = 500;
/** Messages shown once and not again; the oldest are forgotten. */
const MAX_SHOWN = 2_000;
/** What begins below the line that is being said. */
const ENDS_A_LINE: ReadonlySet<string> = new Set<LoggedFrame["type"]>([
	...(["copilot:tool_start", "copilot:subagent", "copilot:todos", "bash:start"] as const),
	...(["copilot:user_input_request", "copilot:permission_request"] as const),
	...(["copilot:plan_request", "copilot:form_request", "copilot:budget_request"] as const),
]);
/** Rows of live output of one call or command. */
const LIVE_ROWS = 5;

/** A conversation as rows of a terminal, as it goes on. */
export interface Transcript {
	readonly state: ConversationState;
	/** A snapshot: what is new in it, the newest `most` messages at most. */
	snapshot(snapshot: Snapshot, most: number): void;
	event(frame: LoggedFrame): void;
	/** What is not finished: the open line, running calls and commands. */
	open(): string[];
	/** What waits for a person, oldest first. */
	asks(): Ask[];
	/** The call with this number. */
	numbered(number: number): { turnId: string; toolCallId: string } | undefined;
}

export function createTranscript(look: Look, print: (rows: readonly string[]) => void): Transcript {
	const { paint, words } = look;
	let state = emptyState();
	const markdown = createMarkdown(look);
	const saying = createSaying(markdown, print);
	const calls = createNumbers();
	const remember = createMemory();

	function toolRow(tool: ToolRecord, turnId: string): string {
		const number = `${calls.numberOf({ turnId, toolCallId: tool.toolCallId })} `;
		return `${paint(number, "dim")}${toolLine(tool, { paint, columns: look.columns() - number.length - 1 })}`;
	}
	const flush = () => print(markdown.end());
	const note = (text: string) => print([paint(text, "dim")]);

	const textOf = (messageId: string) => {
		const part = state.turn?.parts.findLast((known) => known.kind === "text" && known.messageId === messageId);
		return part?.kind === "text" ? part.content : "";
	};

	function show(frame: LoggedFrame): void {
		switch (frame.type) {
			case "copilot:user_message":
			case "copilot:message_updated": {
				const { messageId, content, metadata } = frame.data;
				if (metadata.delivery === "queued" || !remember(messageId) || metadata.bash === true) return;
				flush();
				print(promptRows(content, look, metadata.origin === "telegram" ? "Telegram" : ""));
				return;
			}
			case "copilot:delta":
			case "copilot:message":
				if (frame.data.agentId !== undefined) return;
				return void saying.say(frame.data.messageId, textOf(frame.data.messageId));
			case "copilot:reset":
				if (frame.data.agentId !== undefined) return;
				flush();
				saying.end();
				return void note(words.begunAgain);
			case "copilot:reasoning_end":
				flush();
				return void note(words.thought(formatDuration(frame.data.durationMs)));
			case "copilot:tool_end": {
				flush();
				const tool = state.turn?.tools.findLast((known) => known.toolCallId === frame.data.toolCallId);
				if (tool !== undefined) print([toolRow(tool, state.turn?.messageId ?? "")]);
				return;
			}
			case "copilot:error":
			case "copilot:notice":
				flush();
				return void print([`${paint("!", frame.type === "copilot:error" ? "red" : "yellow", "bold")} ${safeLine(frame.data.message)}`]);
			case "copilot:idle":
				flush();
				saying.end();
				return void note(
					`■ ${words.ended[frame.data.outcome]}${frame.data.durationMs === undefined ? "" : `  ${formatDuration(frame.data.durationMs)}`}`,
				);
			default:
				if (ENDS_A_LINE.has(frame.type)) flush();
				print(besideRows(frame, look));
		}
	}

	return {
		get state() {
			return state;
		},
		snapshot(snapshot, most) {
			flush();
			const before = state;
			state = fromSnapshot(snapshot);
			for (const message of most === 0 ? [] : state.messages.slice(-most)) {
				// What was drawn as it came is not drawn again.
				if (remember(message.id)) print(messageRows(message, look, toolRow));
			}
			const { turn } = state;
			if (turn !== undefined) {
				for (const part of turn.parts) {
					if (part.kind === "text") saying.say(part.messageId, part.content);
					const tool =
						part.kind === "tool"
							? turn.tools.find((known) => known.toolCallId === part.toolCallId && known.success !== undefined)
							: undefined;
					const isNew = tool !== undefined && !calls.knows({ turnId: turn.messageId, toolCallId: tool.toolCallId });
					if (isNew) print([...markdown.end(), toolRow(tool, turn.messageId)]);
				}
			}
			print(todoRows(before.todos, state.todos, look));
			for (const ask of this.asks()) print(describeAsk(ask, look));
			if (state.queue.length > 0) note(words.waiting(state.queue.length));
		},
		event(frame) {
			const before = state;
			if (frame.type === "copilot:idle" && state.turn !== undefined) remember(state.turn.messageId);
			state = foldConversation(state, frame);
			if (frame.type === "bash:done") {
				const command = before.commands.find(({ execId }) => execId === frame.data.execId);
				return print([...(command === undefined ? [] : outputRows(command.output, look)), doneRow(frame.data, look)]);
			}
			show(frame);
			print(todoRows(before.todos, state.todos, look));
		},
		open() {
			const tools = (state.turn?.tools ?? []).filter((tool) => tool.success === undefined).slice(-3);
			return [
				...markdown.open(),
				...tools.flatMap((tool) => [toolRow(tool, state.turn?.messageId ?? ""), ...liveRows(tool.output, look)]),
				...state.commands.filter(({ done }) => done === undefined).flatMap((command) => liveRows(command.output, look)),
			];
		},
		asks: () => asksOf(state),
		numbered: calls.find,
	};
}

function liveRows(output: string | undefined, look: Look): string[] {
	return output === undefined || output === "" ? [] : outputRows(output, look, LIVE_ROWS).slice(-LIVE_ROWS);
}

/** A call of a tool, in its turn. */
interface Call {
	turnId: string;
	toolCallId: string;
}

/** Numbers calls from 1, as they are shown. */
function createNumbers() {
	const calls: Call[] = [];
	let forgotten = 0;
	const indexOf = ({ turnId, toolCallId }: Call) => calls.findLastIndex((call) => call.turnId === turnId && call.toolCallId === toolCallId);
	return {
		knows: (call: Call) => indexOf(call) >= 0,
		find: (number: number): Call | undefined => calls[number - forgotten - 1],
		numberOf(call: Call): number {
			const at = indexOf(call);
			if (at >= 0) return forgotten + at + 1;
			calls.push(call);
			if (calls.length > MAX_NUMBERED) {
				calls.shift();
				forgotten++;
			}
			return forgotten + calls.length;
		},
	};
}

/** Draws the text of one message after the other; what was drawn already is left out. */
function createSaying(markdown: MarkdownStream, print: (rows: readonly string[]) => void) {
	let [current, length] = ["", 0];
	return {
		/** `whole` is all of its text so far. */
		say(messageId: string, whole: string): void {
			if (current !== messageId) {
				print([...markdown.end(), ""]);
				[current, length] = [messageId, 0];
			}
			if (whole.length <= length) return;
			print(markdown.push(whole.slice(length)));
			length = whole.length;
		},
		end(): void {
			[current, length] = ["", 0];
		},
	};
}

/** True for what is met for the first time. */
function createMemory(): (id: string) => boolean {
	const shown = new Set<string>();
	return (id) => {
		if (shown.has(id)) return false;
		shown.add(id);
		const [oldest = ""] = shown;
		if (shown.size > MAX_SHOWN) shown.delete(oldest);
		return true;
	};
}
