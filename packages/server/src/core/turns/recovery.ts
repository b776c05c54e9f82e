import { type EventFrame, eventFrameSchema, type LogEvent } from "@rightseat/protocol/events/event";
import { beginTurn, foldTurn } from "@rightseat/protocol/fold/turn";
import type { CoreContext } from "../active/core-context.ts";
import { isStorageRefusal } from "../active/storage-retry.ts";
import { onBashComplete } from "../commands/on-bash-complete.ts";
import { MAX_PENDING_RESULTS } from "../commands/pending-bash-context.ts";
import { isoTime } from "../kernel/clock.ts";
import { type ConversationId, type MessageId, type Seq, messageId as toMessageId, seq as toSeq } from "../kernel/ids.ts";
import type { CommandRow, OpenTurn } from "../ports/store.ts";
import { storeTurnEnd } from "./turn-end.ts";

const PAGE = 1_000;

/**
 * Puts things right after a crash, before anybody connects: turns and commands that were running are stored with what was shown of them and
 * marked as interrupted. Nothing is run again.
 */
export function recover(core: CoreContext): { turns: number; commands: number } {
	const turns = core.store.turns.open();
	for (const turn of turns) settle(core, turn.conversationId, () => recoverTurn(core, turn));
	const commands = core.store.commands.running();
	for (const command of commands) settle(core, command.conversationId, () => recoverCommand(core, command));
	if (turns.length + commands.length > 0) {
		core.logger.warn({ turns: turns.length, commands: commands.length }, "The server had stopped in mid-work; what was shown is kept");
	}
	return { turns: turns.length, commands: commands.length };
}

/** One conversation that cannot be put right must not keep the server from starting; a disk that refuses concerns all of them. */
function settle(core: CoreContext, conversationId: ConversationId, work: () => void): void {
	try {
		work();
	} catch (error) {
		if (isStorageRefusal(error)) throw error;
		core.logger.error({ err: error, conversationId }, "What a crash left behind in a conversation could not be put right");
	}
}

/** Stores a turn that is open on disk and runs no more, from its events. */
export function recoverTurn(core: CoreContext, turn: OpenTurn): void {
	const { conversationId, messageId, userMessageId } = turn;
	let shown = beginTurn({ messageId, userMessageId, startedAt: isoTime(turn.startedAt) });
	for (const event of logged(core, conversationId, turn.firstSeq)) {
		shown = foldTurn(shown, event);
	}
	core.log.commit(() => {
		for (const { requestId, kind, outcome } of shown.asks ?? []) {
			if (outcome !== undefined) continue;
			const type = kind === "question" ? ("copilot:user_input_resolved" as const) : ("copilot:permission_resolved" as const);
			const resolved: LogEvent = { type, data: { requestId, outcome: "aborted" } };
			core.log.append(conversationId, resolved);
			shown = foldTurn(shown, resolved);
		}
		const message = "The server stopped while this answer was being written. Send “Continue” to go on.";
		const error = { code: "interrupted", message, retryable: true };
		storeTurnEnd(
			core,
			conversationId,
			shown,
			{ outcome: "interrupted", error },
			{
				contextIds: usedContext(core, turn),
				// Which ones the prompt carried is not known any more; told once more they do no harm.
				notes: [],
			},
		);
	});
}

/** Results that this turn's prompt had taken: the ones marked as used since the answer before it. */
function usedContext(core: CoreContext, turn: OpenTurn): MessageId[] {
	const { messages } = core.store.messages.page(turn.conversationId, { limit: 2 * MAX_PENDING_RESULTS });
	const found: MessageId[] = [];
	for (const message of messages.toReversed()) {
		if (message.role === "assistant") break;
		if (message.metadata.context === "used") found.push(toMessageId(message.id));
	}
	return found;
}

function recoverCommand(core: CoreContext, row: CommandRow): void {
	let output = "";
	for (const event of logged(core, row.conversationId, row.firstSeq)) {
		if (event.type === "bash:output" && event.data.execId === row.execId) output += event.data.output;
	}
	const note = "[lost: the server stopped while this command was running]";
	onBashComplete(core, row, {
		exitCode: null,
		output: output === "" ? note : `${output.replace(/\n$/, "")}\n${note}`,
		truncated: false,
		cwd: row.cwd,
		durationMs: Math.max(0, core.clock.now() - row.startedAt),
	});
}

/** Events from `firstSeq` on, read in pages so that a long turn does not fill the memory twice. */
function* logged(core: CoreContext, conversationId: ConversationId, firstSeq: Seq): Generator<LogEvent> {
	let from = toSeq(firstSeq - 1);
	for (;;) {
		const rows = core.store.events.after(conversationId, from, PAGE);
		for (const row of rows) {
			const parsed = eventFrameSchema.safeParse(JSON.parse(row.frame));
			if (parsed.success) yield withoutPosition(parsed.data);
			from = row.seq;
		}
		if (rows.length < PAGE) return;
	}
}

function withoutPosition(frame: EventFrame): LogEvent {
	return frame;
}
