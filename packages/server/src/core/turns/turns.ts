import { beginTurn, isUntouched } from "@rightseat/protocol/fold/turn";
import type { UserMessage } from "@rightseat/protocol/model/message";
import type { TurnError } from "@rightseat/protocol/model/turn";
import { type ActiveConversations, type ActiveTurn, type TurnEnd, waitingIn } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { keepEnd } from "../active/keep-end.ts";
import type { LogTrim } from "../active/log-trim.ts";
import type { ToldChanges } from "../changes/told-changes.ts";
import type { TurnChanges } from "../changes/turn-changes.ts";
import type { UndoneNotes } from "../changes/undone-notes.ts";
import { titleFrom } from "../commands/title.ts";
import { isoTime } from "../kernel/clock.ts";
import { type ConversationId, type IdSource, type MessageId, messageId as toMessageId, seq as toSeq } from "../kernel/ids.ts";
import type { RedactingLog } from "../log/redacting-log.ts";
import type { Agents } from "../ports/agents.ts";
import type { Store } from "../ports/store.ts";
import { type RecoverTurnDeps, recoverTurn } from "./recover-turn.ts";
import type { Recovery } from "./recovery.ts";
import { type BegunTurn, type RunTurnDeps, runTurn } from "./run-turn.ts";
import type { Sessions } from "./sessions.ts";
import { type TurnEndDeps, turnEndOf } from "./turn-end.ts";
import { type TurnInputDeps, takeTurnInput } from "./turn-input.ts";

/** Runs turns: one per conversation, from the prompt that was taken up to the stored answer. */
export interface Turns {
	/** Call before `begin` and outside a commit: stores what an earlier turn could not. */
	settleLeftOpen(conversationId: ConversationId): void;
	/** Takes a stored prompt up. Inside the caller's commit; call `start` when that has returned. */
	begin(conversationId: ConversationId, message: UserMessage): BegunTurn;
	/** Sets the begun turn going. Resolves with how it ended when that is stored and another may begin. Never rejects. */
	start(begun: BegunTurn): Promise<TurnEnd>;
	/** Ends the running turn as stopped by a person, or only this one: a stop that comes late must not end the next. True if one was running. */
	abort(conversationId: ConversationId, turn?: MessageId): boolean;
	/** Ends every running turn as interrupted and waits until they are stored. */
	interruptAll(error: TurnError): Promise<void>;
}

/** Turns that a crash left open are settled by recovery, not here. */
export function createTurns(
	deps: Omit<RunTurnDeps, "keep" | "retitle" | "marked" | "canSteer" | "agentName"> &
		TurnInputDeps &
		TurnEndDeps &
		RecoverTurnDeps & {
			store: Pick<Store, "messages" | "conversations" | "turns" | "events" | "attachments" | "inbox" | "afterCommit" | "durable">;
			log: RedactingLog;
			ids: IdSource;
			active: ActiveConversations;
			rows: Pick<ConversationRows, "get">;
			changes: Pick<ConversationChanges, "updated">;
			agents: Pick<Agents, "find" | "list">;
			sessions: Pick<Sessions, "open" | "release" | "hasLostHistory" | "historyTold">;
			trim: Pick<LogTrim, "trim">;
			turnChanges: Pick<TurnChanges, "begin" | "heard" | "settle">;
			told: Pick<ToldChanges, "begin" | "end">;
			undone: Pick<UndoneNotes, "list" | "remove">;
			recovery: Pick<Recovery, "settle">;
		},
): Turns {
	const { store, log, active } = deps;

	function begin(conversationId: ConversationId, message: UserMessage): BegunTurn {
		const messageId = toMessageId(deps.ids.next());
		const userMessageId = toMessageId(message.id);
		const startedAt = deps.clock.now();
		const { input, carried } = takeTurnInput(deps, conversationId, message);
		store.messages.update(conversationId, userMessageId, { metadata: { ...message.metadata, delivery: "taken" } });
		const firstSeq = toSeq(deps.rows.get(conversationId).headSeq + 1);
		deps.told.begin({ conversationId, changeId: messageId });
		store.turns.begin({ conversationId, messageId, userMessageId, startedAt, firstSeq });
		// What the last one left to be seen is no longer the last word.
		store.inbox.clearEnd(conversationId);
		store.conversations.update(conversationId, { updatedAt: startedAt });
		const identity = { messageId, userMessageId, startedAt: isoTime(startedAt) };
		log.append(conversationId, { type: "copilot:stream-status", data: { status: "streaming", turn: identity } });
		return { conversationId, messageId, userMessageId, shown: beginTurn(identity), input, carried };
	}

	function start(begun: BegunTurn): Promise<TurnEnd> {
		const { conversationId } = begun;
		deps.turnChanges.begin(conversationId, begun.messageId);
		const turn = runTurn({ ...deps, retitle, marked, canSteer, agentName, keep: (ended, end) => keep(conversationId, ended, end) }, begun);
		active.get(conversationId).turn = turn;
		deps.changes.updated(conversationId);
		return turn.done;
	}

	function agentName(id: ConversationId): string {
		const { agent } = deps.rows.get(id);
		return deps.agents.list().find((known) => known.id === agent)?.name ?? agent;
	}

	function canSteer(id: ConversationId): boolean {
		return deps.agents.find(deps.rows.get(id).agent)?.capabilities().steer === true;
	}

	function marked(id: ConversationId, prompt: MessageId, mark: string): void {
		try {
			store.messages.setMark(id, prompt, mark);
		} catch (error) {
			// Without it a fork there tells the agent what was said; not worth a turn.
			deps.logger.warn({ err: error, conversationId: id }, "The agent's mark of a prompt could not be stored");
		}
	}

	function retitle(id: ConversationId, given: string): void {
		try {
			const title = titleFrom(deps.redactor.text(given));
			const known = store.conversations.find(id);
			if (known === undefined || known.titleFixed || title === "" || title === known.title) return;
			store.conversations.update(id, { title });
			deps.changes.updated(id);
		} catch (error) {
			// A name is not worth a turn: a disk that refuses now keeps the old one.
			deps.logger.warn({ err: error, conversationId: id }, "A conversation kept its title because the new one could not be stored");
		}
	}

	async function keep(id: ConversationId, turn: ActiveTurn, end: TurnEnd): Promise<void> {
		const conversation = active.get(id);
		// An agent that ended its turn no longer waits for these; a card that stays would be answered into the void.
		for (const pending of waitingIn(conversation)) pending.settle({ outcome: "aborted" });
		const settled = await deps.turnChanges.settle(id);
		await keepEnd(deps, turnEndOf(deps, id, turn, { end, settled }));
		conversation.turn = undefined;
		if (!isUntouched(turn.shown)) deps.sessions.historyTold(id);
		try {
			if (end.outcome === "error" || end.outcome === "interrupted") await deps.sessions.release(id);
			deps.changes.updated(id);
		} catch (error) {
			// The queue must go on whatever happens here.
			deps.logger.error({ err: error, conversationId: id }, "What follows the end of a turn failed");
		}
		active.release(id);
		deps.trim.trim(id);
	}

	return {
		settleLeftOpen(id) {
			// A turn whose end could not be stored is still open on disk; the next one would take its place, and with it what was shown of it.
			if (active.find(id)?.turn !== undefined) return;
			deps.recovery.settle(id);
			const left = store.turns.open().find((turn) => turn.conversationId === id);
			if (left !== undefined) recoverTurn(deps, left);
		},
		begin,
		start,
		abort: (conversationId, wanted) => abort(deps, conversationId, wanted),
		async interruptAll(error) {
			const running = active.withTurn().flatMap(({ turn }) => (turn === undefined ? [] : [turn]));
			for (const turn of running) turn.stop({ outcome: "interrupted", error });
			await Promise.all(running.map((turn) => turn.done));
		},
	};
}

function abort(
	deps: { active: Pick<ActiveConversations, "find">; recovery: Pick<Recovery, "settle"> },
	conversationId: ConversationId,
	wanted: MessageId | undefined,
): boolean {
	const { turn, left } = deps.active.find(conversationId) ?? {};
	const open = turn ?? left?.turn;
	if (open === undefined || (wanted !== undefined && wanted !== open.messageId)) return false;
	// Nothing runs of what a crash left open; whoever wants it over is told why it is not yet.
	if (turn === undefined) deps.recovery.settle(conversationId);
	else turn.stop({ outcome: "aborted" });
	return true;
}
