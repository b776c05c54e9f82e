import type { Cancel, Clock } from "./clock.ts";

/** When a child process that failed is started again. */
export interface RestartPolicy {
	/** The pause before the first restart, the second, and so on; the last one stays. */
	backoffMs: readonly number[];
	/** Failures older than this no longer count. */
	windowMs: number;
	/** So many failures within the window open the circuit: nothing is started until somebody resets it. */
	openAfter?: number;
}

/** How a supervised process stands, with the failures that still count. */
export type Supervision = { readonly failedAt: readonly number[] } & (
	| { readonly at: "off" }
	/** `again`: it has run, or failed, before. */
	| { readonly at: "starting"; readonly again: boolean }
	| { readonly at: "ready" }
	| { readonly at: "backoff"; readonly because: string }
	| { readonly at: "open"; readonly because: string }
	| { readonly at: "stopped" }
);

export type SupervisionInput =
	/** Somebody needs the process. */
	| { kind: "needed" }
	| { kind: "started" }
	/** It did not start, or ended by itself. */
	| { kind: "failed"; because: string; atMs: number }
	/** It was let go on purpose and is started again when it is needed. */
	| { kind: "released" }
	| { kind: "backoff-over" }
	/** Closes the circuit and ends a backoff. */
	| { kind: "reset" }
	| { kind: "stop" };

export type SupervisionEffect = { do: "start" } | { do: "back-off"; ms: number } | { do: "end-backoff" };

export const NOT_STARTED: Supervision = { at: "off", failedAt: [] };

/** The one circuit breaker of all child processes: start when needed, restart with backoff, give up after repeated failures. */
export function nextSupervision(
	state: Supervision,
	input: SupervisionInput,
	policy: RestartPolicy,
): { state: Supervision; effects: SupervisionEffect[] } {
	const { failedAt } = state;
	if (state.at === "stopped") return { state, effects: [] };
	switch (input.kind) {
		case "needed":
			return state.at === "off" ? start(failedAt, false) : { state, effects: [] };
		case "started":
			return state.at === "starting" ? { state: { at: "ready", failedAt }, effects: [] } : { state, effects: [] };
		case "failed":
			return state.at === "starting" || state.at === "ready" ? fail(failedAt, input, policy) : { state, effects: [] };
		case "released":
			return state.at === "ready" || state.at === "starting" ? { state: { at: "off", failedAt }, effects: [] } : { state, effects: [] };
		case "backoff-over":
			return state.at === "backoff" ? start(failedAt, true) : { state, effects: [] };
		case "reset": {
			if (state.at === "open") return start([], true);
			if (state.at !== "backoff") return { state: { ...state, failedAt: [] }, effects: [] };
			const restarted = start([], true);
			return { state: restarted.state, effects: [{ do: "end-backoff" }, ...restarted.effects] };
		}
		case "stop":
			return { state: { at: "stopped", failedAt: [] }, effects: state.at === "backoff" ? [{ do: "end-backoff" }] : [] };
	}
}

function start(failedAt: readonly number[], again: boolean): { state: Supervision; effects: SupervisionEffect[] } {
	return { state: { at: "starting", again, failedAt }, effects: [{ do: "start" }] };
}

function fail(
	before: readonly number[],
	{ because, atMs }: { because: string; atMs: number },
	{ backoffMs, windowMs, openAfter = Number.POSITIVE_INFINITY }: RestartPolicy,
): { state: Supervision; effects: SupervisionEffect[] } {
	const failedAt = [...before.filter((at) => atMs - at < windowMs), atMs];
	if (failedAt.length >= openAfter) return { state: { at: "open", because, failedAt: [] }, effects: [] };
	const ms = backoffMs[Math.min(failedAt.length, backoffMs.length) - 1] ?? 0;
	// Without a circuit only as many are remembered as there are pauses.
	const kept = openAfter === Number.POSITIVE_INFINITY ? failedAt.slice(-backoffMs.length) : failedAt;
	return { state: { at: "backoff", because, failedAt: kept }, effects: [{ do: "back-off", ms }] };
}

export interface SupervisorDeps {
	policy: RestartPolicy;
	clock: Clock;
	/** Begins one attempt; its end is told with `started` or `failed`, later. */
	start(): void;
	/** Called on every change of state. */
	onChange?(state: Supervision): void;
}

/** Watches over one child process. What the process is and how it is started, probed and stopped is its owner's business. */
export interface ProcessSupervisor {
	readonly state: Supervision;
	needed(): void;
	started(): void;
	failed(because: string): void;
	released(): void;
	reset(): void;
	stop(): void;
}

export function createProcessSupervisor({ policy, clock, ...deps }: SupervisorDeps): ProcessSupervisor {
	let state = NOT_STARTED;
	let endBackoff: Cancel = () => undefined;

	function dispatch(input: SupervisionInput) {
		const before = state;
		const step = nextSupervision(state, input, policy);
		state = step.state;
		if (state.at !== before.at) deps.onChange?.(state);
		for (const effect of step.effects) perform(effect);
	}

	function perform(effect: SupervisionEffect) {
		switch (effect.do) {
			case "start":
				return deps.start();
			case "back-off":
				// No pause is no timer: what waits for the process is sent on within the same tick.
				if (effect.ms === 0) dispatch({ kind: "backoff-over" });
				else endBackoff = clock.after(effect.ms, () => dispatch({ kind: "backoff-over" }));
				return;
			case "end-backoff":
				return endBackoff();
		}
	}

	return {
		get state() {
			return state;
		},
		needed: () => dispatch({ kind: "needed" }),
		started: () => dispatch({ kind: "started" }),
		failed: (because) => dispatch({ kind: "failed", because, atMs: clock.elapsed() }),
		released: () => dispatch({ kind: "released" }),
		reset: () => dispatch({ kind: "reset" }),
		stop: () => dispatch({ kind: "stop" }),
	};
}
