import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { createTurnQueue } from "../../turn-queue.ts";
import { newTurn, nextTurn, type TurnEffect, type TurnMachineInput, type TurnRules, type TurnState } from "./turn-state.ts";

/** The machine of one turn and what belongs to it: its queue, its timers and whoever waits for a change. */
export interface TurnShell {
	readonly state: TurnState;
	dispatch(input: TurnMachineInput): void;
	/** Something for people that changes no state. */
	tell(event: TurnEvent): void;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
	/** Called after every step; the result unsubscribes. */
	onStep(look: () => void): Cancel;
	/** Undone when the turn ends, or at once when it has. */
	defer(undo: Cancel): void;
	/** Aborts when the turn is stopped or has ended. */
	readonly signal: AbortSignal;
	readonly over: Promise<void>;
}

export interface TurnShellDeps {
	clock: Clock;
	/** Counts what waits for the reader of the turn. */
	account: Pick<MemoryAccount, "add">;
	stopMs: number;
	rules(): TurnRules;
	/** Tells the agent to stop. */
	cancel(): void;
	/** Ends the agent's process. */
	drop(): void;
	/** The reader of the turn is behind, or has caught up. */
	hold(isBehind: boolean): void;
}

export function createTurnShell(deps: TurnShellDeps): TurnShell {
	const queue = createTurnQueue({ account: deps.account, onBehind: deps.hold });
	const quiet = new AbortController();
	const looking = new Set<() => void>();
	let undoing: Cancel[] = [];
	let state = newTurn(deps.rules().earlier);
	let finished: () => void = () => undefined;
	const over = new Promise<void>((resolve) => {
		finished = resolve;
	});

	function dispatch(input: TurnMachineInput): void {
		if (state.at === "ended") return;
		const step = nextTurn(state, input, deps.rules());
		state = step.state;
		for (const effect of step.effects) perform(effect);
		for (const look of [...looking]) look();
		if (step.state.at === "ended") finish();
	}

	function finish(): void {
		for (const undo of undoing) undo();
		undoing = [];
		deps.hold(false);
		quiet.abort();
		finished();
	}

	function perform(effect: TurnEffect): void {
		switch (effect.do) {
			case "emit":
				queue.push(effect.event);
				return;
			case "cancel":
				deps.cancel();
				quiet.abort();
				return;
			case "limit-stop":
				undoing.push(deps.clock.after(deps.stopMs, () => dispatch({ kind: "stop-overdue" })));
				return;
			case "kill":
				deps.drop();
				return;
		}
	}

	return {
		get state() {
			return state;
		},
		...{ dispatch, tell: queue.push, events: queue.events, signal: quiet.signal, over },
		onStep(look) {
			looking.add(look);
			return () => looking.delete(look);
		},
		defer(undo) {
			if (state.at === "ended") undo();
			else undoing.push(undo);
		},
	};
}
