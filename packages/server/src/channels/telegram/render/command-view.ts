import type { LogEvent } from "@rightseat/protocol/events/event";
import type { RunningCommand } from "@rightseat/protocol/model/command";
import type { InlineKeyboardButton } from "grammy/types";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { type ConversationId, type ExecId, execId as toExecId } from "../../../core/kernel/ids.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import { chatMessageOf } from "../chats/client-id.ts";
import { joinTexts, styled } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import type { Outgoing } from "../outbox/outbox-store.ts";
import type { ChatWriter } from "./chat-writer.ts";
import { oneLine, tailOf } from "./status-text.ts";

/** A command that ends sooner shows only its result. */
const LIVE_AFTER_MS = 1_000;
/** Output of one command that is kept for the result; beyond it the page has more. */
const MAX_OUTPUT_CHARS = 1_000_000;
const MAX_TAIL_SOURCE_CHARS = 8_000;
const MAX_RESULT_CHARS = 3_000;
const MAX_COMMAND_CHARS = 300;

export interface CommandView {
	event(frame: LogEvent): void;
	/** Commands that ran when this view began. */
	resume(commands: RunningCommand[]): void;
	/** The next command to start was typed in this chat message. */
	expect(messageId: number | undefined): void;
	running(): ExecId[];
	close(): void;
}

interface Running {
	command: string;
	startedAt: number;
	output: string;
	live: LiveMessage;
	keyboard: InlineKeyboardButton[][];
	isShown: boolean;
	cancel: Cancel;
	replyTo: number | undefined;
}

/** Commands of a person: a live tail while they run, then the result with the exit code as a new message. */
export function createCommandView(deps: {
	chatId: number;
	conversationId: ConversationId;
	writer: ChatWriter;
	words: () => Messages;
	redact: (text: string) => string;
	/** Counts this chat's copies of output. */
	account: Pick<MemoryAccount, "add">;
	clock: Clock;
}): CommandView {
	const { clock, writer, words, redact, account } = deps;
	const running = new Map<string, Running>();
	let expected: number | undefined;

	/** A text with one character beyond Latin-1 takes two bytes for each. */
	function keep(entry: Running, output: string): void {
		account.add(2 * (output.length - entry.output.length));
		entry.output = output;
	}

	function begin(execId: string, command: string, startedAt: string, output: string, replyTo: number | undefined): void {
		const entry: Running = {
			command,
			startedAt: Date.parse(startedAt),
			output: "",
			live: writer.live({ silent: true, replyTo }),
			keyboard: [[writer.button(words().stop, { kind: "kill-exec", execId, conversationId: deps.conversationId })]],
			isShown: false,
			cancel: () => undefined,
			replyTo,
		};
		entry.cancel = clock.after(LIVE_AFTER_MS, () => {
			entry.isShown = true;
			show(entry);
		});
		const before = running.get(execId);
		if (before !== undefined) keep(before, "");
		running.set(execId, entry);
		keep(entry, output);
	}

	function drop(execId: string, entry: Running): void {
		entry.cancel();
		entry.live.remove();
		keep(entry, "");
		running.delete(execId);
	}

	function show(entry: Running): void {
		const head = `$ ${oneLine(redact(entry.command), MAX_COMMAND_CHARS)}\n⏳ ${words().elapsed(clock.now() - entry.startedAt)}`;
		// Only the end, with room for a secret that the cut would halve: a million characters a second would hold up everybody.
		const tail = tailOf(redact(entry.output.slice(-MAX_TAIL_SOURCE_CHARS)), 12, 1_200);
		const text = tail === "" ? joinTexts([head]) : joinTexts([head, "\n", styled(tail, { type: "pre" })]);
		entry.live.set({ ...text, keyboard: entry.keyboard });
	}

	/** The disk may refuse any of its messages, and the same event comes again then: nothing is forgotten before all of them are stored. */
	function end(execId: string, data: { exitCode: number | null; cwd: string; durationMs: number }): void {
		const entry = running.get(execId);
		if (entry === undefined) return;
		const messages = resultMessages(entry, data);
		for (const [index, message] of messages.entries()) {
			const isLast = index === messages.length - 1;
			writer.send(message, { key: `exec:${execId}:${index}`, onSettled: isLast ? () => entry.live.remove() : undefined });
		}
		entry.cancel();
		keep(entry, "");
		running.delete(execId);
	}

	function resultMessages(entry: Running, data: { exitCode: number | null; cwd: string; durationMs: number }): Outgoing[] {
		const output = redact(entry.output.slice(-MAX_OUTPUT_CHARS)).trimEnd();
		const mark = data.exitCode === 0 ? "✅" : data.exitCode === null ? "⏹" : "❌";
		const exit = data.exitCode === null ? words().bySignal : words().exitCode(data.exitCode);
		const head = `$ ${oneLine(redact(entry.command), MAX_COMMAND_CHARS)}\n${mark} ${exit} · ${words().elapsed(data.durationMs)} · ${data.cwd}`;
		const isLong = output.length > MAX_RESULT_CHARS;
		const shown = isLong ? `…${output.slice(-MAX_RESULT_CHARS + 1)}`.toWellFormed() : output;
		const text = output === "" ? joinTexts([head]) : joinTexts([head, "\n", styled(shown, { type: "pre" })]);
		const options = { silent: writer.isSilent(), replyTo: entry.replyTo };
		const filename = /^diff --git |^--- .+\n\+\+\+ /m.test(output.slice(0, 2_000)) ? "changes.diff" : "output.txt";
		return [
			{ kind: "text", ...text, ...options },
			...(isLong ? [{ kind: "document" as const, filename, content: output, caption: words().wholeOutput, silent: true }] : []),
		];
	}

	return {
		event(frame) {
			if (frame.type === "bash:start") {
				const replyTo = expected ?? chatMessageOf(deps.chatId, frame.data.clientMessageId);
				begin(frame.data.execId, frame.data.command, frame.data.startedAt, "", replyTo);
				expected = undefined;
			} else if (frame.type === "bash:output") {
				const entry = running.get(frame.data.execId);
				if (entry === undefined) return;
				const output = entry.output + frame.data.output;
				// Cut now and then: cutting with every event would copy a million characters each time.
				keep(entry, output.length > 2 * MAX_OUTPUT_CHARS ? output.slice(-MAX_OUTPUT_CHARS) : output);
				if (entry.isShown) show(entry);
			} else if (frame.type === "bash:done") end(frame.data.execId, frame.data);
		},
		resume(commands) {
			// Told anew: the result of one that ended meanwhile is in the conversation.
			for (const [execId, entry] of running) if (!commands.some((each) => each.execId === execId)) drop(execId, entry);
			for (const { execId, command, startedAt, output } of commands) {
				const known = running.get(execId);
				if (known === undefined) begin(execId, command, startedAt, output, undefined);
				else keep(known, output);
			}
		},
		expect: (messageId) => {
			expected = messageId;
		},
		running: () => [...running.keys()].map(toExecId),
		close() {
			for (const [execId, entry] of running) drop(execId, entry);
		},
	};
}
