import { answerText, beginTurn } from "@rightseat/protocol/fold/turn";
import type { UserMessage } from "@rightseat/protocol/model/message";
import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import { cutText } from "@rightseat/protocol/text";
import type { LiveConversation, LiveTurn } from "../active/active-conversations.ts";
import type { CoreContext } from "../active/core-context.ts";
import { type End, keepEnd } from "../active/keep-end.ts";
import { isoTime } from "../kernel/clock.ts";
import { AppError, toAppError } from "../kernel/errors.ts";
import { type ConversationId, messageId as toMessageId, seq as toSeq } from "../kernel/ids.ts";
import type { TurnInput } from "../ports/agent-runtime.ts";
import { withEndAfterAbort } from "./abort-deadline.ts";
import { recoverTurn } from "./recovery.ts";
import type { Sessions } from "./sessions.ts";
import { storeTurnEnd, type TurnEnd } from "./turn-end.ts";
import { takeTurnInput } from "./turn-input.ts";
import { createTurnRecorder } from "./turn-recorder.ts";
import { MAX_TURN_CHARS, turnTooLong } from "./turn-size.ts";

/** A runtime that does not end an aborted turn within this is not waited for. */
export const ABORT_GRACE_MS = 5_000;

export interface Turns {
	/** Call before `begin` and outside a commit: stores what an earlier turn could not. */
	settleLeftOpen(conversationId: ConversationId): void;
	/** Takes a stored prompt up, inside the caller's commit if there is one. Call `start` when that has returned. */
	begin(conversationId: ConversationId, message: UserMessage): BegunTurn;
	/** Sets the begun turn going; it ends by itself. */
	start(begun: BegunTurn): void;
	/** Ends the running turn as stopped by a person. True if one was running. */
	abort(conversationId: ConversationId): boolean;
	/** Ends every running turn as interrupted and waits until they are stored. */
	interruptAll(error: TurnError): Promise<void>;
}

export interface BegunTurn {
	live: LiveConversation;
	turn: LiveTurn;
	input: TurnInput;
}

/** Runs turns: one per conversation, from the prompt that was taken up to the stored answer. */
export function createTurns(core: CoreContext, sessions: Sessions, onEnd: (conversationId: ConversationId, end: TurnEnd) => void): Turns {
	function begin(conversationId: ConversationId, message: UserMessage): BegunTurn {
		const live = core.live.get(conversationId);
		const messageId = toMessageId(core.ids.next());
		const userMessageId = toMessageId(message.id);
		const startedAt = core.clock.now();
		return core.log.commit(() => {
			const { input, contextIds, notes } = takeTurnInput(core, conversationId, message);
			core.store.messages.update(conversationId, userMessageId, { metadata: { ...message.metadata, delivery: "taken" } });
			const firstSeq = toSeq(core.row(conversationId).headSeq + 1);
			core.store.turns.begin({ conversationId, messageId, userMessageId, startedAt, firstSeq });
			core.store.conversations.update(conversationId, { updatedAt: startedAt });
			const identity = { messageId, userMessageId, startedAt: isoTime(startedAt) };
			core.log.append(conversationId, { type: "copilot:stream-status", data: { status: "streaming", turn: identity } });
			const abort = new AbortController();
			const turn: LiveTurn = {
				messageId,
				userMessageId,
				abort,
				shown: beginTurn(identity),
				contextIds,
				notes,
				done: Promise.resolve(),
			};
			return { live, turn, input };
		});
	}

	function start(begun: BegunTurn): void {
		begun.live.turn = begun.turn;
		begun.turn.done = run(begun);
		core.changed(begun.live.id);
	}

	async function run({ live, turn, input }: BegunTurn): Promise<void> {
		const reported = await answer(live, turn, input);
		const end = core.redactor.value(turn.forcedEnd ?? reported);
		// An agent that ends its turn does not wait for these any more; a card that stays would be answered into the void.
		for (const pending of [...live.questions.values(), ...live.permissions.values()]) pending.settle({ outcome: "aborted" });
		await keepEnd(core, endOf(live.id, turn, end));
		live.turn = undefined;
		try {
			if (end.outcome === "error" || end.outcome === "interrupted") await sessions.release(live.id);
			core.changed(live.id);
		} catch (error) {
			// The queue must go on whatever happens here.
			core.logger.error({ err: error, conversationId: live.id }, "What follows the end of a turn failed");
		}
		onEnd(live.id, end);
		core.live.release(live.id);
	}

	function endOf(id: ConversationId, turn: LiveTurn, end: TurnEnd): End {
		const { messageId } = turn;
		const failed = { outcome: "error" as const, error: notStored() };
		function store(write: () => void): void {
			core.log.releaseTurn(id);
			// The fold must have seen every event before the text is taken from it.
			if (!core.log.flush()) throw new AppError("storage-read-only", "The event log cannot be written.");
			// An attempt that failed after its commit must not be made again.
			if (core.store.messages.find(id, messageId) === undefined) write();
		}
		return {
			what: { conversationId: id, messageId },
			whole: () => store(() => storeTurnEnd(core, id, turn.shown, end, turn)),
			least: () => store(() => storeTurnEnd(core, id, onlyText(turn.shown), failed, turn)),
			tell() {
				core.log.append(id, { type: "copilot:error", data: failed.error });
				core.log.append(id, { type: "copilot:stream-status", data: { status: "error" } });
				core.log.append(id, { type: "copilot:idle", data: { messageId, outcome: "error" } });
			},
		};
	}

	/** A turn whose end could not be stored is still open on disk; the next one would take its place, and with it what was shown of it. */
	function settleLeftOpen(id: ConversationId): void {
		if (core.live.find(id)?.turn !== undefined) return;
		const left = core.store.turns.open().find((turn) => turn.conversationId === id);
		if (left !== undefined) recoverTurn(core, left);
	}

	/** Runs the agent and logs what it says. Never rejects. */
	async function answer(live: LiveConversation, turn: LiveTurn, input: TurnInput): Promise<TurnEnd> {
		try {
			// The agent acts on the prompt: it must not get one that a power cut can take back.
			const opened = await orAborted(Promise.all([sessions.open(live.id), core.store.durable()]), turn.abort.signal);
			if (opened === undefined) return { outcome: "aborted" };
			const [session] = opened;
			turn.session = session;
			const recorder = createTurnRecorder(core, live.id);
			for await (const event of withEndAfterAbort(session.run(input, turn.abort.signal), turn.abort.signal, ABORT_GRACE_MS, core.clock)) {
				recorder.record(event);
				if (event.kind === "turn-end") return { outcome: event.outcome, ...(event.error === undefined ? {} : { error: event.error }) };
				if (turn.forcedEnd !== undefined) continue;
				if (recorder.chars() > MAX_TURN_CHARS) force(turn, { outcome: "error", error: turnTooLong() });
				else if (core.log.overflowing()) force(turn, { outcome: "error", error: storeFull() });
			}
			return { outcome: "interrupted", error: { code: "internal", message: "The agent ended without saying how." } };
		} catch (error) {
			const known = toAppError(error);
			core.logger.error({ err: error, conversationId: live.id, code: known.code }, "A turn failed");
			return { outcome: "error", error: { code: known.code, message: known.message, params: known.params, retryable: known.retryable } };
		} finally {
			turn.session = undefined;
		}
	}

	return {
		settleLeftOpen,
		begin,
		start,
		abort(conversationId) {
			const turn = core.live.find(conversationId)?.turn;
			if (turn === undefined) return false;
			force(turn, { outcome: "aborted" });
			return true;
		},
		async interruptAll(error) {
			const running = core.live.withTurn().flatMap(({ turn }) => (turn === undefined ? [] : [turn]));
			for (const turn of running) force(turn, { outcome: "interrupted", error });
			await Promise.all(running.map((turn) => turn.done));
		},
	};
}

/** The first reason wins: a turn that a person stopped was not interrupted by a later shutdown. */
function force(turn: LiveTurn, end: TurnEnd): void {
	turn.forcedEnd ??= end;
	turn.abort.abort();
}

function orAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T | undefined> {
	return new Promise((resolve, reject) => {
		const stop = () => resolve(undefined);
		if (signal.aborted) stop();
		else signal.addEventListener("abort", stop, { once: true });
		work.then(resolve, reject).finally(() => signal.removeEventListener("abort", stop));
	});
}

/** What is kept of a turn that could not be stored as it was: its text. */
function onlyText(shown: RunningTurn): RunningTurn {
	const { messageId } = shown;
	const content = cutText(answerText(shown), MAX_RESCUED_CHARS);
	return { ...beginTurn(shown), parts: [{ kind: "text", messageId, content }] };
}
const MAX_RESCUED_CHARS = 1_000_000;
const notStored = (): TurnError => ({
	code: "internal",
	message: "This answer could not be stored as it was shown; only its text is kept. The server's log has the details.",
});
const storeFull = (): TurnError => ({
	code: "storage-read-only",
	message: "The answer was stopped: the disk does not take any more. Free some space.",
	params: { reason: "turn-stopped" },
});
