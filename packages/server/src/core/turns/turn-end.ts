import type { LogEvent } from "@rightseat/protocol/events/event";
import { answerText, beginTurn, finishTurn, foldTurn, isUntouched } from "@rightseat/protocol/fold/turn";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import { cutText } from "@rightseat/protocol/text";
import type { ActiveTurn, Carried, TurnEnd } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { End } from "../active/keep-end.ts";
import type { ToldChanges } from "../changes/told-changes.ts";
import type { UndoneNotes } from "../changes/undone-notes.ts";
import type { PendingBashContext } from "../commands/pending-bash-context.ts";
import { keepUnseenEnd } from "../inbox/unseen-end.ts";
import { type Clock, isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "../kernel/ids.ts";
import type { RedactingLog } from "../log/redacting-log.ts";
import type { SettledChange } from "../ports/changes.ts";
import type { Shell } from "../ports/shell.ts";
import type { MessageStore, Store } from "../ports/store.ts";
import { SESSION_CONTINUED } from "./lost-history.ts";

/** What storing the end of a turn touches. */
export interface TurnEndDeps {
	store: Pick<Store, "messages" | "conversations" | "turns" | "inbox" | "afterCommit">;
	log: Pick<RedactingLog, "append" | "commit" | "flush" | "releaseTurn">;
	clock: Clock;
	shell: Pick<Shell, "markNotesTold">;
	rows: Pick<ConversationRows, "get">;
	bashContext: Pick<PendingBashContext, "giveBack">;
	told: Pick<ToldChanges, "end">;
	undone: Pick<UndoneNotes, "remove">;
}

/** What is known of a turn when it is over. */
export interface EndedTurn {
	shown: RunningTurn;
	end: TurnEnd;
	carried: Carried;
	/** Prompts that were to join it and did not; none are known after a crash. */
	unheard?: ActiveTurn["unheard"];
	/** What it changed in files; without it that is told later. */
	settled?: SettledChange;
}

/**
 * Stores a turn and closes it, in one transaction: open tools settled, the assistant message with what was shown, the error, the status, one `idle`, last.
 * Serves the normal end and the recovery of a turn that a crash cut off.
 */
export function storeTurnEnd(
	deps: TurnEndDeps,
	conversationId: ConversationId,
	{ shown, end, carried, unheard, settled }: EndedTurn,
): void {
	const { store, log } = deps;
	const { model } = deps.rows.get(conversationId);
	log.commit(() => {
		const now = deps.clock.now();
		const turn = withChanges(deps, conversationId, settleOpenTools(log, conversationId, shown, end), settled);
		const { contextIds, notes } = carried;
		if (end.outcome !== "completed" && isUntouched(turn)) deps.bashContext.giveBack(conversationId, contextIds, end.error?.code);
		else {
			deps.undone.remove(conversationId, carried.undone);
			if (notes.length > 0) store.afterCommit(() => deps.shell.markNotesTold(conversationId, notes));
		}
		const durationMs = Math.max(0, now - Date.parse(turn.startedAt));
		const ending = { outcome: end.outcome, createdAt: isoTime(now), ...(model === "" ? {} : { model }), durationMs };
		const { content, metadata } = finishTurn(turn, { ...ending, error: end.error });
		const messageId = toMessageId(turn.messageId);
		store.messages.addMessage(conversationId, { id: messageId, role: "assistant", content, metadata, createdAt: now });
		// Later is too late: a crash before it would leave prompts that seem to belong to an answer which never heard of them.
		// Each goes to the front of the queue.
		for (const queueInstead of [...(unheard?.values() ?? [])].toReversed()) queueInstead();
		if (end.error !== undefined) log.append(conversationId, { type: "copilot:error", data: end.error });
		const status = end.outcome === "completed" || end.outcome === "aborted" ? "completed" : "error";
		const saidContinued = turn.notices?.some(({ code }) => code === SESSION_CONTINUED) === true;
		// An agent that began to answer has been told.
		const told = isUntouched(turn) ? {} : { untoldFrom: null };
		store.conversations.update(conversationId, { status, updatedAt: now, ...told, ...(saidContinued ? { isContinued: false } : {}) });
		store.turns.end(conversationId);
		if (!isQuiet(store.messages, conversationId, { turn, end }))
			keepUnseenEnd(store.inbox, { conversationId, messageId, end, changes: turn.changes, now });
		log.append(conversationId, { type: "copilot:stream-status", data: { status } });
		log.append(conversationId, { type: "copilot:idle", data: { messageId, ...ending } });
	});
}

/** What an agent was told to do, and did, waits for nobody: whoever wanted it sees the notice. */
function isQuiet(messages: Pick<MessageStore, "find">, id: ConversationId, ended: Pick<EndedTurn, "end"> & { turn: RunningTurn }): boolean {
	if (ended.end.outcome !== "completed") return false;
	const prompt = messages.find(id, toMessageId(ended.turn.userMessageId));
	return prompt?.role === "user" && prompt.metadata.task !== undefined;
}

/** Told before the end, so that whoever watched has it on the answer. */
function withChanges(
	deps: TurnEndDeps,
	conversationId: ConversationId,
	turn: RunningTurn,
	settled: SettledChange | undefined,
): RunningTurn {
	if (settled === undefined) return turn;
	const { messageId } = turn;
	const changes = deps.told.end({ conversationId, changeId: messageId, messageId }, "turn", settled);
	return changes === undefined ? turn : { ...turn, changes };
}

/** These tools will not get a result: that is logged, and the turn is stored as every reader folds it then. */
function settleOpenTools(log: Pick<RedactingLog, "append">, conversationId: ConversationId, shown: RunningTurn, end: TurnEnd): RunningTurn {
	const error = end.outcome === "aborted" ? "Stopped." : "Interrupted.";
	let turn = shown;
	for (const { toolCallId, success } of shown.tools) {
		if (success !== undefined) continue;
		const ended: LogEvent = { type: "copilot:tool_end", data: { toolCallId, success: false, error } };
		log.append(conversationId, ended);
		turn = foldTurn(turn, ended);
	}
	return turn;
}

/** How the end of this turn is stored: whole, else its text and an error, else only announced. */
export function turnEndOf(
	deps: TurnEndDeps,
	id: ConversationId,
	turn: ActiveTurn,
	{ end, settled }: Pick<EndedTurn, "end"> & { settled: SettledChange },
): End {
	const { messageId, carried, unheard } = turn;
	const failed = { outcome: "error" as const, error: notStored() };
	function store(write: () => void): void {
		deps.log.releaseTurn(id);
		// The fold must have seen every event before the text is taken from it.
		if (!deps.log.flush()) throw new AppError("storage-read-only", "The event log cannot be written.");
		// An attempt that failed after its commit must not be made again.
		if (deps.store.messages.find(id, messageId) === undefined) write();
		unheard.clear();
	}
	return {
		what: { conversationId: id, messageId },
		whole: () => store(() => storeTurnEnd(deps, id, { shown: turn.shown, end, carried, unheard, settled })),
		least: () => store(() => storeTurnEnd(deps, id, { shown: onlyText(turn.shown), end: failed, carried, unheard, settled })),
		tell: () => tellTurnEnd(deps.log, id, messageId),
	};
}

/** Readers see an end that could not be stored. */
export function tellTurnEnd(log: Pick<RedactingLog, "append">, id: ConversationId, messageId: MessageId): void {
	log.append(id, { type: "copilot:error", data: notStored() });
	log.append(id, { type: "copilot:stream-status", data: { status: "error" } });
	log.append(id, { type: "copilot:idle", data: { messageId, outcome: "error" } });
}

/** What is kept of a turn that could not be stored as it was: its text. */
export function onlyText(shown: RunningTurn): RunningTurn {
	const { messageId } = shown;
	const content = cutText(answerText(shown), MAX_RESCUED_CHARS);
	return { ...beginTurn(shown), parts: [{ kind: "text", messageId, content }] };
}
const MAX_RESCUED_CHARS = 1_000_000;
const notStored = (): TurnError => ({
	code: "internal",
	message: "This answer could not be stored as it was shown; only its text is kept. The server's log has the details.",
});
