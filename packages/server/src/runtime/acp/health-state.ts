import type { AppError } from "../../core/kernel/errors.ts";
import type { RuntimeHealth } from "../../core/ports/agent-runtime.ts";
import { acpErrors } from "./acp-errors.ts";

/** So many deaths within the window, and the agent rests. */
export const MAX_DEATHS = 5;
export const DEATH_WINDOW_MS = 5 * 60_000;
export const REST_MS = 5 * 60_000;

/** How an agent stands: its processes, its recent deaths and what keeps it from working. */
export interface HealthState {
	readonly starting: number;
	readonly running: number;
	/** When it died, by the clock's `elapsed`; only those that still count. */
	readonly deaths: readonly number[];
	readonly resting?: { readonly until: number; readonly because: string };
	/** It is missing, or not logged in; the next start may show that this has changed. */
	readonly problem?: AppError;
	readonly version?: string;
	readonly isClosed: boolean;
}

export const NEVER_STARTED: HealthState = { starting: 0, running: 0, deaths: [], isClosed: false };

export type HealthInput =
	| { kind: "starting" }
	| { kind: "started"; version: string | undefined }
	| { kind: "not-started"; error: AppError; at: number }
	/** A running one ended; `error`: by itself. */
	| { kind: "ended"; error?: AppError; at: number }
	/** A running one says that it is not logged in. */
	| { kind: "refused"; error: AppError }
	/** A turn was answered. */
	| { kind: "answered" }
	| { kind: "woken" }
	| { kind: "closed" };

/** The circuit breaker of one kind of agent: whatever number of its processes run, too many deaths in too short a time let all of them rest. */
export function nextHealth(state: HealthState, input: HealthInput): HealthState {
	switch (input.kind) {
		case "starting":
			return { ...state, starting: state.starting + 1 };
		case "started": {
			const { problem: _solved, ...rest } = state;
			const version = input.version ?? state.version;
			const counted = { ...rest, starting: state.starting - 1, running: state.running + 1 };
			return version === undefined ? counted : { ...counted, version };
		}
		case "not-started": {
			const ended = { ...state, starting: state.starting - 1 };
			const { code } = input.error;
			if (code === "agent-missing" || code === "agent-login") return { ...ended, problem: input.error };
			// A folder that is gone, or a session that was closed meanwhile, is not the agent's fault.
			return code.startsWith("agent-") ? died(ended, input.error, input.at) : ended;
		}
		case "ended": {
			const ended = { ...state, running: state.running - 1 };
			return input.error === undefined ? ended : died(ended, input.error, input.at);
		}
		case "refused":
			return { ...state, problem: input.error };
		case "answered": {
			const { problem: _solved, ...rest } = state;
			return { ...rest, deaths: [] };
		}
		case "woken": {
			const { problem: _problem, resting: _resting, ...rest } = state;
			return { ...rest, deaths: [] };
		}
		case "closed":
			return { ...state, isClosed: true };
	}
}

function died(state: HealthState, error: AppError, at: number): HealthState {
	const deaths = [...state.deaths.filter((earlier) => at - earlier < DEATH_WINDOW_MS), at];
	if (deaths.length < MAX_DEATHS) return { ...state, deaths };
	return { ...state, deaths: [], resting: { until: at + REST_MS, because: reasonOf(error) } };
}

/** Why it failed, without what one does about a single failure: sending again does nothing while it rests. */
function reasonOf({ code, message, params }: AppError): string {
	if (code === "agent-frozen") return "it gave no sign of life";
	return params?.because === undefined ? message : String(params.because);
}

/** Why nothing may be started now. */
export function restOf(state: HealthState, name: string, now: number): AppError | undefined {
	const { resting } = state;
	if (resting === undefined || now >= resting.until) return undefined;
	return acpErrors.resting(name, resting.because, REST_MINUTES);
}

const REST_MINUTES = REST_MS / 60_000;

/** The same for people. */
export function describeHealth(state: HealthState, name: string, now: number): RuntimeHealth {
	const version = state.version === undefined ? {} : { version: state.version };
	const known = { provider: "acp" as const, ...version };
	if (state.isClosed) return { state: "stopped", ...known };
	const rest = restOf(state, name, now);
	if (rest !== undefined) return { state: "resting", ...known, ...wordsOf(rest) };
	const { problem } = state;
	if (problem?.code === "agent-missing") return { state: "missing", ...known, ...wordsOf(problem) };
	if (problem?.code === "agent-login") return { state: "login-needed", ...known, ...wordsOf(problem) };
	if (state.starting > 0) return { state: state.deaths.length > 0 ? "restarting" : "starting", ...known };
	return { state: state.running > 0 ? "ready" : "off", ...known };
}

const wordsOf = ({ code, message, params }: AppError) => ({ code, message, ...(params === undefined ? {} : { params }) });
