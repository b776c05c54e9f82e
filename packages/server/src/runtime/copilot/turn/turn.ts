import type { CopilotSession, SessionEvent } from "@github/copilot-sdk";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { TurnInput } from "../../../core/ports/agent-runtime.ts";
import { createTurnQueue, type TurnQueue } from "../../turn-queue.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";
import type { ToolHost } from "../session/sdk-tools.ts";
import { createStallTimer } from "./stall-timer.ts";
import { type Describe, NEW_TURN, nextTurn, type TurnEffect, type TurnInputs } from "./turn-state.ts";

/** The attached session that a turn runs on. */
export interface TurnSession {
	readonly sdk: Pick<CopilotSession, "send" | "abort">;
	/** Aborts when the runtime died or is closed; its reason is an AppError. */
	readonly gone: AbortSignal;
}

export interface TurnDeps {
	clock: Clock;
	/** Counts what waits for the turn's reader. */
	account: Pick<MemoryAccount, "add">;
	attach(): Promise<TurnSession>;
	/** The runtime did not confirm the end of this turn: its session must not be used again as it is. */
	invalidate(): void;
	/** The runtime has taken the prompt, and knows it by this id from now on. */
	taken?(messageId: string): void;
	describe: Describe;
}

/** One turn on a session: sends the prompt, shows what comes of it, and ends exactly once. */
export interface Turn extends ToolHost {
	handle(event: SessionEvent): void;
	/** Waiting for a person or a permission: the model cannot be blamed for the silence. */
	waitWhile<T>(work: Promise<T>): Promise<T>;
	steer(input: TurnInput): Promise<void>;
	start(input: TurnInput, stop: AbortSignal): void;
	events(): ReturnType<TurnQueue["events"]>;
	readonly ended: boolean;
	/** Resolves when the turn has ended. */
	readonly over: Promise<void>;
}

const SEND_TIMEOUT_MS = 10_000;
/** Stopping must be over within two seconds even if the runtime does not answer. */
const STOP_TIMEOUT_MS = 1_500;
/** After an error the runtime goes idle within milliseconds. */
const IDLE_AFTER_ERROR_MS = 5_000;
/** How long a call of our tools waits for its announcement before it is shown without: the delivery may overtake it. */
export const ANNOUNCE_GRACE_MS = 1_000;
/** What the runtime says about calls of sub-agents lags behind; under load by seconds, even behind the end of the sub-agent. */
const SETTLE_TIMEOUT_MS = 10_000;

export function createTurn(deps: TurnDeps): Turn {
	const { clock } = deps;
	const queue = createTurnQueue({ account: deps.account });
	const over = new AbortController();
	const timers = createTimers(clock);
	let state = NEW_TURN;
	let session: TurnSession | undefined;
	let waitingFor = 0;
	const stall = createStallTimer({
		clock,
		isWaiting: () => waitingFor > 0 || state.calls.size > 0,
		notice: (message, params) => queue.push({ kind: "notice", code: "stalled", message, params }),
	});

	function dispatch(input: TurnInputs) {
		const step = nextTurn(state, input, deps.describe);
		state = step.state;
		for (const effect of step.effects) perform(effect);
		if (state.phase.at !== "ended" || over.signal.aborted) return;
		stall.stop();
		timers.cancelAll();
		over.abort();
	}

	function perform(effect: TurnEffect) {
		switch (effect.do) {
			case "emit":
				return queue.push(effect.event);
			case "abort":
				session?.sdk.abort().catch(() => dispatch({ kind: "stop-failed" }));
				return;
			case "limit-stop":
				return timers.set("stop", STOP_TIMEOUT_MS, () => dispatch({ kind: "stop-failed" }));
			case "limit-error":
				return timers.set("error", IDLE_AFTER_ERROR_MS, () => dispatch({ kind: "error-overdue" }));
			case "limit-calls":
				return timers.setOnce("calls", SETTLE_TIMEOUT_MS, () => dispatch({ kind: "calls-overdue" }));
			case "unlimit-error":
				return timers.cancel("error");
			case "invalidate":
				return deps.invalidate();
		}
	}

	async function run(input: TurnInput, stop: AbortSignal) {
		const onStop = () => dispatch({ kind: "stop" });
		if (stop.aborted) return onStop();
		listen(stop, onStop, over.signal);
		try {
			session = await deps.attach();
		} catch (error) {
			return dispatch({ kind: "attach-failed", error });
		}
		if (over.signal.aborted) return;
		const { gone } = session;
		dispatch({ kind: "attached" });
		const onGone = () => dispatch({ kind: "gone", error: gone.reason });
		if (gone.aborted) return onGone();
		listen(gone, onGone, over.signal);
		stall.touch();
		try {
			const messageId = await send(session, input, "enqueue", clock);
			deps.taken?.(messageId);
			dispatch({ kind: "prompt-accepted", messageId });
		} catch (error) {
			dispatch({ kind: "prompt-failed", error });
		}
	}

	return {
		signal: over.signal,
		over: new Promise((resolve) => over.signal.addEventListener("abort", () => resolve(), { once: true })),
		get ended() {
			return over.signal.aborted;
		},
		handle(event) {
			if (over.signal.aborted) return;
			stall.touch();
			dispatch({ kind: "event", event });
		},
		events: () => queue.events(),
		start: (input, stop) => void run(input, stop),
		async steer(input) {
			if (session === undefined || state.phase.at !== "running") throw notRunning();
			dispatch({ kind: "steer" });
			try {
				dispatch({ kind: "steered", messageId: await send(session, input, "immediate", clock) });
			} catch (error) {
				dispatch({ kind: "steered" });
				throw error;
			}
		},
		async waitWhile(work) {
			waitingFor += 1;
			try {
				return await work;
			} finally {
				waitingFor -= 1;
				if (!over.signal.aborted) stall.touch();
			}
		},
		output(toolCallId, text) {
			if (text !== "") dispatch({ kind: "call", input: { kind: "output", toolCallId, text } });
		},
		async call(call, work) {
			const { toolCallId } = call;
			dispatch({ kind: "call", input: { kind: "delivered", call } });
			const graceOver = () => dispatch({ kind: "call", input: { kind: "grace-over", toolCallId } });
			// The announcement may lie in the pipe, unread because this process was held up.
			if (state.calls.get(toolCallId)?.at === "delivered") {
				const graceMs = state.subAgents ? SETTLE_TIMEOUT_MS : ANNOUNCE_GRACE_MS;
				timers.set(`call ${toolCallId}`, graceMs, () => timers.soon(`call ${toolCallId}`, graceOver));
			}
			const result = await work();
			const [success, text] = [result.resultType === "success", result.textResultForLlm];
			dispatch({ kind: "call", input: { kind: "returned", toolCallId, success, text } });
			return result;
		},
	};
}

/** Resolves with the id under which the runtime takes up the prompt. */
function send({ sdk, gone }: TurnSession, input: TurnInput, mode: "enqueue" | "immediate", clock: Clock): Promise<string> {
	const attachments = input.attachments?.map(({ path, name }) => ({ type: "file" as const, path, displayName: name.toWellFormed() }));
	const sent = sdk.send({
		prompt: input.prompt.toWellFormed(),
		displayPrompt: input.displayPrompt.toWellFormed(),
		mode,
		...(attachments === undefined || attachments.length === 0 ? {} : { attachments }),
	});
	return withTimeout(sent, { clock, ms: SEND_TIMEOUT_MS, late: runtimeErrors.noAnswer, gone });
}

function listen(signal: AbortSignal, run: () => void, until: AbortSignal) {
	signal.addEventListener("abort", run, { once: true });
	until.addEventListener("abort", () => signal.removeEventListener("abort", run), { once: true });
}

/** Timers by name; setting one again replaces it. */
function createTimers(clock: Clock) {
	const running = new Map<string, Cancel>();
	function cancel(name: string) {
		running.get(name)?.();
		running.delete(name);
	}
	function add(name: string, begin: (run: () => void) => Cancel, run: () => void) {
		cancel(name);
		running.set(
			name,
			begin(() => {
				running.delete(name);
				run();
			}),
		);
	}
	return {
		cancel,
		set: (name: string, ms: number, run: () => void) => add(name, (due) => clock.after(ms, due), run),
		setOnce(name: string, ms: number, run: () => void) {
			if (!running.has(name)) add(name, (due) => clock.after(ms, due), run);
		},
		soon: (name: string, run: () => void) => add(name, (due) => clock.soon(due), run),
		cancelAll() {
			for (const name of [...running.keys()]) cancel(name);
		},
	};
}

export const notRunning = () => new AppError("not-running", "No turn is running that this could join. Send it as a message of its own.");
