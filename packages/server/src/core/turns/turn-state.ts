import type { TurnEnd } from "../active/active-conversations.ts";
import { assertNever } from "../kernel/errors.ts";
import type { AgentSession } from "../ports/agent-runtime.ts";

/**
 * A turn, from the prompt that was taken up to the stored answer. It ends exactly once: `storing` is entered by the first end that comes, and no other can
 * take its place. The first reason to stop wins over whatever the runtime says about the end.
 */
export type TurnState =
	/** The session opens and the prompt becomes durable. */
	| { state: "opening" }
	| { state: "answering"; session: AgentSession }
	/** Stopped, and the runtime has not confirmed it. What it still says is shown; nothing more can be steered in. */
	| { state: "stopping"; end: TurnEnd }
	| { state: "storing"; end: TurnEnd }
	| { state: "ended"; end: TurnEnd };

/** What can happen to a turn. */
export type TurnStateInput =
	| { kind: "opened"; session: AgentSession }
	/** A person, a bound or the server's shutdown ends the turn. */
	| { kind: "stop"; end: TurnEnd }
	/** The runtime said how it ended, failed to open or broke off. */
	| { kind: "reported"; end: TurnEnd }
	/** The runtime did not confirm the stop in time. */
	| { kind: "deadline" }
	| { kind: "stored" };

/** The state after this input; the same object when the input means nothing in this state. Never throws. */
export function nextTurnState(state: TurnState, input: TurnStateInput): TurnState {
	switch (state.state) {
		case "opening":
			if (input.kind === "opened") return { state: "answering", session: input.session };
			// Nothing was asked of the agent yet, so there is nothing to wait for.
			if (input.kind === "stop" || input.kind === "reported") return { state: "storing", end: input.end };
			return state;
		case "answering":
			if (input.kind === "stop") return { state: "stopping", end: input.end };
			if (input.kind === "reported") return { state: "storing", end: input.end };
			return state;
		case "stopping":
			return input.kind === "reported" || input.kind === "deadline" ? { state: "storing", end: state.end } : state;
		case "storing":
			return input.kind === "stored" ? { state: "ended", end: state.end } : state;
		case "ended":
			return state;
		default:
			return assertNever(state);
	}
}
