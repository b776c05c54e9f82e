import type { SessionEvent } from "@github/copilot-sdk";
import type { TurnError } from "@rightseat/protocol/model/turn";
import { AppError } from "../../../core/kernel/errors.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { NO_TEAM, nextTeam, type Team } from "../sub-agents/team.ts";
import { type Autopilot, isContinuation, MAX_CONTINUATIONS, NO_AUTOPILOT, nextAutopilot, unfinished } from "./autopilot.ts";
import { type CallInput, isSettling, nextCalls, type ShownCalls } from "./shown-calls.ts";
import { type Translation, toCallInput, translate } from "./translate.ts";
import { fromAppError, type RuntimeErrorData } from "./turn-error.ts";

/** Which prompts the runtime has taken up, by the ids it gave them, and whether it has gone idle since. */
interface Heard {
	/** Accepted and not taken up yet: an idle that comes before that belongs to an earlier prompt. */
	expected: ReadonlySet<string>;
	seen: ReadonlySet<string>;
	idle: boolean;
	/** Prompts on their way that were steered in. */
	steering: number;
}

type Phase =
	| { at: "attaching" }
	/** The prompt is on its way. The runtime loses an abort that overtakes it, so a stop waits; but not for long. */
	| { at: "prompting"; stopAsked: boolean; heard: Heard }
	| { at: "running"; heard: Heard }
	/** The runtime was told to abort; `enough`: by us, because it went on by itself, and the turn ends as it stands. */
	| { at: "stopping"; heard: Heard; enough?: true }
	| { at: "ended" };

export interface TurnState {
	phase: Phase;
	calls: ShownCalls;
	translation: Translation;
	/** Sub-agents have been at work: what they do is announced with a delay. */
	subAgents: boolean;
	autopilot: Autopilot;
	team: Team;
}

export type TurnInputs =
	| { kind: "attached" }
	| { kind: "attach-failed"; error: unknown }
	| { kind: "prompt-accepted"; messageId: string }
	| { kind: "prompt-failed"; error: unknown }
	| { kind: "steer" }
	/** Without an id the runtime did not take it. */
	| { kind: "steered"; messageId?: string }
	| { kind: "event"; event: SessionEvent }
	| { kind: "call"; input: CallInput }
	/** Nobody works in the background any more, and the agent rests. */
	| { kind: "background-over" }
	/** The runtime has not said in time how the calls ended that our tools have answered. */
	| { kind: "calls-overdue" }
	/** It went on by itself and shall not. */
	| { kind: "enough" }
	| { kind: "stop" }
	/** The runtime refused the abort, or left it unanswered. */
	| { kind: "stop-failed" }
	/** It reported an error and did not go idle in time. */
	| { kind: "error-overdue" }
	/** The runtime died, was replaced or is closed. */
	| { kind: "gone"; error: unknown };

export type TurnEffect =
	| { do: "emit"; event: TurnEvent }
	/** Tell the runtime to abort. */
	| { do: "abort" }
	/** Answer with `stop-failed` unless the turn ends in time. */
	| { do: "limit-stop" }
	/** Answer with `error-overdue` unless another event comes first. */
	| { do: "limit-error" }
	| { do: "unlimit-error" }
	/** Answer with `calls-overdue` unless the turn ends in time. */
	| { do: "limit-calls" }
	/** The agent rests while others work for it: answer with `background-over` when all of them rest, whatever the runtime says of it. */
	| { do: "watch-background" }
	| { do: "unwatch-background" }
	/** The runtime did not confirm the end: its session must not be used again as it is. */
	| { do: "invalidate" };

export const NEW_TURN: TurnState = {
	phase: { at: "attaching" },
	calls: new Map(),
	translation: { failures: 0 },
	subAgents: false,
	autopilot: NO_AUTOPILOT,
	team: NO_TEAM,
};

const NOTHING_HEARD: Heard = { expected: new Set(), seen: new Set(), idle: false, steering: 0 };

interface Step {
	state: TurnState;
	effects: TurnEffect[];
}

export type Describe = (error: RuntimeErrorData) => TurnError;

/** One turn. Whatever comes in whatever order, exactly one `turn-end` is emitted, last. */
export function nextTurn(state: TurnState, input: TurnInputs, describe: Describe): Step {
	const { phase } = state;
	if (phase.at === "ended") return { state, effects: [] };
	switch (input.kind) {
		case "attached":
			return stay(state, { at: "prompting", stopAsked: false, heard: NOTHING_HEARD });
		case "attach-failed":
			return end(state, { outcome: "error", error: fromAppError(input.error) });
		case "prompt-accepted":
			return promptAccepted(state, input.messageId, describe);
		case "prompt-failed":
			return promptFailed(state, input.error);
		case "steer":
			return phase.at === "attaching" ? stay(state, phase) : stay(state, withHeard(phase, { steering: phase.heard.steering + 1 }));
		case "steered":
			return steered(state, input.messageId, describe);
		case "event":
			return handle(state, input.event, describe);
		case "call":
			return endIfIdle(showCall(state, input.input), describe);
		case "calls-overdue":
			return endIfIdle({ state, effects: [] }, describe, { overdue: true });
		case "enough":
			return enough(state);
		case "background-over":
			return phase.at === "running" ? endIfIdle(stay(state, withHeard(phase, { idle: true })), describe) : { state, effects: [] };
		case "stop":
			return stop(state);
		case "stop-failed":
			if (phase.at === "stopping" && phase.enough === true) return endAnswered(state, describe, { invalidate: true });
			return end(state, { outcome: "aborted" }, { invalidate: true });
		case "error-overdue":
			return state.translation.error === undefined ? { state, effects: [] } : endAnswered(state, describe, { invalidate: true });
		case "gone":
			if (isStopped(phase)) return end(state, { outcome: "aborted" });
			return end(state, { outcome: "interrupted", error: fromAppError(input.error) }, { toolError: "The Copilot runtime stopped." });
	}
}

const stay = (state: TurnState, phase: Phase, effects: TurnEffect[] = []): Step => ({ state: { ...state, phase }, effects });

type Hearing = Exclude<Phase, { at: "attaching" | "ended" }>;
const withHeard = <P extends Hearing>(phase: P, heard: Partial<Heard>): P => ({ ...phase, heard: { ...phase.heard, ...heard } });

const isStopped = (phase: Phase) => phase.at === "stopping" || (phase.at === "prompting" && phase.stopAsked);

function promptAccepted(state: TurnState, messageId: string, describe: Describe): Step {
	const { phase } = state;
	if (phase.at !== "prompting") return { state, effects: [] };
	const heard = accept(phase.heard, messageId);
	if (!phase.stopAsked) return endIfIdle(stay(state, { at: "running", heard }), describe);
	return endIfIdle(stay(state, { at: "stopping", heard }, [{ do: "abort" }]), describe);
}

/** An idle from before the prompt was taken up says nothing about it. */
function accept(heard: Heard, messageId: string): Heard {
	if (heard.seen.has(messageId)) return heard;
	return { ...heard, expected: new Set(heard.expected).add(messageId), idle: false };
}

function promptFailed(state: TurnState, error: unknown): Step {
	if (isStopped(state.phase)) return end(state, { outcome: "aborted" }, { invalidate: true });
	const known = error instanceof AppError;
	return end(
		state,
		{ outcome: known ? "interrupted" : "error", error: fromAppError(error) },
		// It may still take up the prompt.
		{ invalidate: true, toolError: known ? "The Copilot runtime stopped." : "Stopped." },
	);
}

function steered(state: TurnState, messageId: string | undefined, describe: Describe): Step {
	const { phase } = state;
	if (phase.at === "attaching" || phase.at === "ended") return { state, effects: [] };
	const heard = messageId === undefined ? phase.heard : accept(phase.heard, messageId);
	return endIfIdle(stay(state, withHeard(phase, { ...heard, steering: Math.max(0, heard.steering - 1) })), describe);
}

function stop(state: TurnState): Step {
	const { phase } = state;
	switch (phase.at) {
		case "attaching":
			return end(state, { outcome: "aborted" });
		case "prompting":
			return phase.stopAsked ? stay(state, phase) : stay(state, { ...phase, stopAsked: true }, [{ do: "limit-stop" }]);
		case "running":
			return stay(state, { ...phase, at: "stopping" }, [{ do: "limit-stop" }, { do: "abort" }]);
		case "stopping": {
			const { enough: _, ...stopping } = phase;
			return stay(state, stopping);
		}
		case "ended":
			return stay(state, phase);
	}
}

function enough(state: TurnState): Step {
	const { phase } = state;
	if (phase.at !== "running") return { state, effects: [] };
	return stay(state, { ...phase, at: "stopping", enough: true }, [{ do: "limit-stop" }, { do: "abort" }]);
}

function handle(state: TurnState, event: SessionEvent, describe: Describe): Step {
	const subAgents = state.subAgents || event.agentId !== undefined || isDelegation(event);
	const { team, events: told } = nextTeam(state.team, event);
	const call = toCallInput(event);
	if (call !== undefined) {
		const shown = showCall({ ...state, subAgents, team }, call, event.agentId === undefined ? [{ do: "unlimit-error" }] : []);
		return endIfIdle(shown, describe);
	}
	const { state: translation, events } = translate(state.translation, event);
	const effects: TurnEffect[] = [...told, ...events].map((emitted) => ({ do: "emit", event: emitted }));
	const after = { ...state, translation, subAgents, team, autopilot: nextAutopilot(state.autopilot, event) };
	if (event.agentId !== undefined) return { state: after, effects };
	if (event.type === "session.error") return { state: after, effects: [...effects, { do: "limit-error" }] };
	return hear({ state: after, effects: [{ do: "unlimit-error" }, ...effects] }, event, describe);
}

const isDelegation = (event: SessionEvent) =>
	event.type === "subagent.started" || (event.type === "tool.execution_start" && event.data.toolName === "task");

function hear(step: Step, event: SessionEvent, describe: Describe): Step {
	const { phase } = step.state;
	if (phase.at === "attaching" || phase.at === "ended") return step;
	const { heard } = phase;
	switch (event.type) {
		case "user.message": {
			const { messageId } = event.data;
			if (messageId === undefined) return step;
			const expected = new Set(heard.expected);
			expected.delete(messageId);
			const taken = withPhase(step, withHeard(phase, { expected, seen: new Set(heard.seen).add(messageId), ...goesOn(event) }));
			return isContinuation(event) && isHopeless(taken.state) ? withEffects(step, enough(taken.state)) : taken;
		}
		case "assistant.turn_start":
			return withEffects(step, { state: step.state, effects: [{ do: "unwatch-background" }] });
		case "assistant.idle":
			// What works in the background wakes the agent when it is done; the session is idle only then.
			if (step.state.team.isBackground && !isStopped(phase))
				return withEffects(step, { state: step.state, effects: [{ do: "watch-background" }] });
			// On autopilot the runtime prompts the model again after this, until it goes idle itself.
			return step.state.autopilot.on && phase.at === "running" ? step : wentIdle(step, phase, describe);
		case "session.idle":
			return wentIdle(step, phase, describe);
		default:
			return step;
	}
}

/** An idle that came before does not end what goes on. */
const goesOn = (event: SessionEvent) => (isContinuation(event) ? { idle: false } : {});

/** A model that fails is not asked again and again by nobody. */
const isHopeless = ({ translation, autopilot }: TurnState) => translation.error !== undefined || autopilot.continued > MAX_CONTINUATIONS;

const withEffects = ({ effects }: Step, then: Step): Step => ({ state: then.state, effects: [...effects, ...then.effects] });

function wentIdle(step: Step, phase: Hearing, describe: Describe): Step {
	// An idle of the turn before may still be on its way when this one begins.
	if (phase.heard.seen.size === 0 && !isStopped(phase)) return step;
	return endIfIdle(withPhase(step, withHeard(phase, { idle: true })), describe);
}

const withPhase = ({ state, effects }: Step, phase: Phase): Step => ({ state: { ...state, phase }, effects });

function showCall(state: TurnState, input: CallInput, effects: TurnEffect[] = []): Step {
	const { calls, events } = nextCalls(state.calls, input);
	return { state: { ...state, calls }, effects: [...effects, ...events.map((event): TurnEffect => ({ do: "emit", event }))] };
}

function endIfIdle(step: Step, describe: Describe, { overdue = false } = {}): Step {
	const { state, effects } = step;
	const { phase } = state;
	if (phase.at !== "running" && phase.at !== "stopping") return step;
	const { idle, steering, expected } = phase.heard;
	if (!idle || steering > 0 || (phase.at === "running" && expected.size > 0)) return step;
	if (phase.at === "running" && !overdue && isSettling(state.calls)) return { state, effects: [...effects, { do: "limit-calls" }] };
	const isOver = phase.at === "running" || phase.enough === true;
	const ended = isOver ? endAnswered(state, describe) : end(state, { outcome: "aborted" });
	return { state: ended.state, effects: [...effects, ...ended.effects] };
}

/** The runtime has nothing more to say: the turn is complete, or failed if its last word was an error. */
function endAnswered(state: TurnState, describe: Describe, more: { invalidate?: boolean } = {}): Step {
	const { error } = state.translation;
	if (error === undefined) {
		const { state: ended, effects } = end(state, { outcome: "completed" }, more);
		return { state: ended, effects: [...unfinished(state.autopilot).map((event): TurnEffect => ({ do: "emit", event })), ...effects] };
	}
	return end(state, { outcome: "error", error: describe(error) }, { ...more, toolError: "The turn failed." });
}

type TurnEnd = Omit<Extract<TurnEvent, { kind: "turn-end" }>, "kind">;

function end(state: TurnState, how: TurnEnd, more: { invalidate?: boolean; toolError?: string } = {}): Step {
	const { calls, events } = nextCalls(state.calls, { kind: "closed", error: more.toolError ?? "Stopped." });
	const emitted = [...events, { kind: "turn-end" as const, ...how }].map((event): TurnEffect => ({ do: "emit", event }));
	const invalidate: TurnEffect[] = more.invalidate ? [{ do: "invalidate" }] : [];
	return { state: { ...state, phase: { at: "ended" }, calls }, effects: [...invalidate, ...emitted] };
}
