import type { RunningTurn, TurnError } from "@rightseat/protocol/model/turn";
import type { ActiveTurn, Carried, TurnEnd } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { TurnChanges } from "../changes/turn-changes.ts";
import type { Cancel, Clock } from "../kernel/clock.ts";
import { toAppError } from "../kernel/errors.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { MemoryLedger } from "../kernel/memory-ledger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { EventLog } from "../log/event-log.ts";
import type { TurnEvent, TurnInput } from "../ports/agent-runtime.ts";
import type { Store } from "../ports/store.ts";
import type { Budgets } from "../usage/budgets.ts";
import { expandCommand, type TypedInput } from "./expand-command.ts";
import { earlierTurns, forkTold, historyLost, sessionContinued, untoldTurns } from "./lost-history.ts";
import type { Sessions } from "./sessions.ts";
import { createTurnMemory, outOfMemory } from "./turn-memory.ts";
import { createTurnRecorder } from "./turn-recorder.ts";
import { fitEvent, MAX_TURN_CHARS, turnTooLong } from "./turn-size.ts";
import { nextTurnState, type TurnState, type TurnStateInput } from "./turn-state.ts";

/** A runtime that does not end an aborted turn within this is not waited for. */
export const ABORT_GRACE_MS = 5_000;

/** A turn that is open on disk and does not run yet. */
export interface BegunTurn {
	conversationId: ConversationId;
	messageId: MessageId;
	userMessageId: MessageId;
	/** Nothing said yet. */
	shown: RunningTurn;
	input: TypedInput;
	carried: Carried;
}

/** What a running turn touches. */
export interface RunTurnDeps {
	sessions: Pick<Sessions, "open" | "hasLostHistory">;
	rows: Pick<ConversationRows, "get">;
	store: Pick<Store, "durable" | "messages">;
	/** What people call the conversation's agent. */
	agentName(conversationId: ConversationId): string;
	/** Whether the conversation's agent takes a prompt into a running turn. */
	canSteer(conversationId: ConversationId): boolean;
	log: Pick<EventLog, "append" | "overflowing">;
	clock: Clock;
	logger: Logger;
	redactor: Redactor;
	memory: MemoryLedger;
	budgets: Pick<Budgets, "pass">;
	turnChanges: Pick<TurnChanges, "heard">;
	/** The agent knows the prompt by this mark. Never throws. */
	marked(conversationId: ConversationId, prompt: MessageId, mark: string): void;
	/** The agent has a name for the conversation. Never throws. */
	retitle(conversationId: ConversationId, title: string): void;
	/** Stores how the turn ended and makes room for the next. Never rejects. */
	keep(turn: ActiveTurn, end: TurnEnd): Promise<void>;
}

/** Gives the prompt to the agent and logs what it says until the turn's one end is stored. */
export function runTurn(deps: RunTurnDeps, begun: BegunTurn): ActiveTurn {
	const { clock, logger } = deps;
	const { conversationId, messageId, userMessageId, shown, carried } = begun;
	const recorder = createTurnRecorder(deps, conversationId);
	const held = createTurnMemory(deps.memory);
	const abort = new AbortController();
	let state: TurnState = { state: "opening" };
	let cancelDeadline: Cancel = () => undefined;
	let finished: (end: TurnEnd) => void = () => undefined;
	const turn: ActiveTurn = {
		...{ messageId, userMessageId, shown, carried, unheard: new Map(), signal: abort.signal },
		steerable: () => (state.state === "answering" && deps.canSteer(conversationId) ? state.session : undefined),
		stop(end) {
			move({ kind: "stop", end });
			abort.abort();
		},
		done: new Promise((resolve) => {
			finished = resolve;
		}),
	};
	void answer();
	return turn;

	function move(input: TurnStateInput): void {
		const before = state;
		state = nextTurnState(state, input);
		if (state === before) return;
		if (state.state === "stopping") cancelDeadline = clock.after(ABORT_GRACE_MS, () => move({ kind: "deadline" }));
		if (state.state !== "storing") return;
		cancelDeadline();
		void keep(state.end);
	}

	async function keep(reported: TurnEnd): Promise<void> {
		const end = deps.redactor.value(reported);
		await deps.keep(turn, end);
		held.release();
		move({ kind: "stored" });
		finished(end);
	}

	/** Nobody waits for this: a runtime that hangs must not keep the conversation. */
	async function answer(): Promise<void> {
		try {
			const waiting = deps.budgets.pass(conversationId, abort.signal);
			if (waiting !== undefined) await waiting;
			if (isOver()) return;
			// The agent acts on the prompt: it must not get one that a power cut can take back.
			const [session] = await Promise.all([deps.sessions.open(conversationId), deps.store.durable()]);
			const input = await expandCommand(session, begun.input, deps.redactor);
			move({ kind: "opened", session });
			if (isOver()) return;
			for await (const event of session.run(withHistory(input), abort.signal, taken)) {
				if (isOver()) return;
				hear(event);
				if (event.kind === "turn-end") return;
			}
			move({ kind: "reported", end: brokenOff() });
		} catch (error) {
			if (isOver()) return;
			const { code, message, params, retryable } = toAppError(error);
			logger.error({ err: error, conversationId, code }, "A turn failed");
			move({ kind: "reported", end: { outcome: "error", error: { code, message, params, retryable } } });
		}
	}

	/** An agent that has lost its history, or never had it, is told what was said, and people that it had to be. */
	function withHistory(input: TurnInput): TurnInput {
		if (input.task !== undefined) return input;
		const { isContinued, untoldFrom } = deps.rows.get(conversationId);
		const name = deps.agentName(conversationId);
		if (isContinued) deps.log.append(conversationId, { type: "copilot:notice", data: sessionContinued(name) });
		const isLost = deps.sessions.hasLostHistory(conversationId);
		if (!isLost && untoldFrom === null) return input;
		const history = isLost
			? earlierTurns(deps.store.messages, conversationId, userMessageId)
			: untoldTurns(deps.store.messages, conversationId, { prompt: userMessageId, from: untoldFrom });
		if (history === undefined) return input;
		if (isLost) deps.log.append(conversationId, { type: "copilot:notice", data: historyLost(name) });
		else if (history.hasAnswers) deps.log.append(conversationId, { type: "copilot:notice", data: forkTold(name) });
		return { ...input, prompt: deps.redactor.text(`${history.text}\n\n${input.prompt}`) };
	}

	function taken(mark: string): void {
		deps.marked(conversationId, userMessageId, mark);
	}

	function isOver(): boolean {
		return state.state === "storing" || state.state === "ended";
	}

	function hear(event: TurnEvent): void {
		// An agent that does not listen talks on until it is killed.
		const said = fitEvent(event, MAX_TURN_CHARS - recorder.chars());
		if (said === undefined) return;
		recorder.record(said);
		deps.turnChanges.heard(conversationId, event);
		if (event.kind === "title") deps.retitle(conversationId, event.title);
		if (event.kind === "turn-end") move({ kind: "reported", end: { outcome: event.outcome, error: event.error } });
		else if (said !== event || recorder.chars() > MAX_TURN_CHARS) turn.stop({ outcome: "error", error: turnTooLong() });
		else if (!held.fits(recorder.chars())) turn.stop({ outcome: "error", error: outOfMemory() });
		else if (deps.log.overflowing()) turn.stop({ outcome: "error", error: storeFull() });
	}
}

const brokenOff = (): TurnEnd => ({
	outcome: "interrupted",
	error: { code: "internal", message: "The agent ended without saying how." },
});
const storeFull = (): TurnError => ({
	code: "storage-read-only",
	message: "The answer was stopped: the disk does not take any more. Free some space.",
	params: { reason: "turn-stopped" },
});
