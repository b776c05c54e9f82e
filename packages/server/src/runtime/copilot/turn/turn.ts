import type { MessageOptions, SessionEvent } from "@github/copilot-sdk";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { PermitRequest, TurnEvent, TurnInput } from "../../../core/ports/agent-runtime.ts";
import { createTurnQueue, type TurnQueue } from "../../turn-queue.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";
import type { ToolHost } from "../session/sdk-tools.ts";
import { createBackgroundWatch, type SubAgentTasks } from "../sub-agents/background.ts";
import { createCallers } from "../sub-agents/callers.ts";
import { createSubAgentStops, type SubAgentStops } from "../sub-agents/stops.ts";
import { restingTeam, type Team } from "../sub-agents/team.ts";
import { isContinuation } from "./autopilot.ts";
import { toSentAttachments } from "./sent-attachments.ts";
import { createStallTimer } from "./stall-timer.ts";
import { type Describe, NEW_TURN, nextTurn, type TurnEffect, type TurnInputs, type TurnState } from "./turn-state.ts";

/** The attached session that a turn runs on. */
export interface TurnSession {
	readonly sdk: { send(message: MessageOptions): Promise<string>; abort(): Promise<void> };
	/** Aborts when the runtime died or is closed; its reason is an AppError. */
	readonly gone: AbortSignal;
	/** Those that work in the background; without it only the runtime's word counts. */
	readonly tasks?: SubAgentTasks;
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
	/** Takes our own secrets out of a text. */
	redact(text: string): string;
	/** On autopilot the runtime prompts the model by itself once more: may it? */
	mayGoOn(): boolean;
	/** Who worked for the agent in earlier turns. */
	team?: Team;
}

/** One turn on a session: sends the prompt, shows what comes of it, and ends exactly once. */
export interface Turn extends ToolHost {
	handle(event: SessionEvent): void;
	/** Waiting for a person or a permission: the model cannot be blamed for the silence. */
	waitWhile<T>(work: Promise<T>): Promise<T>;
	steer(input: TurnInput): Promise<void>;
	/** Something that its reader should know. */
	notice(notice: Omit<Extract<TurnEvent, { kind: "notice" }>, "kind">): void;
	start(input: TurnInput, stop: AbortSignal): void;
	events(): ReturnType<TurnQueue["events"]>;
	readonly ended: boolean;
	/** Who works for the agent. */
	team(): Team;
	/** Which sub-agent asks to make this call. */
	whoAsks(toolCallId: string | undefined): Pick<PermitRequest, "agentId" | "agentName" | "asker">;
	/** Ends one of those who work for the agent; the turn goes on. False: that one does not work now. */
	stopAgent(agentId: string): Promise<boolean>;
	/** Does something for a call until the sub-agent that made it is stopped. */
	readonly forCall: SubAgentStops["during"];
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
	const watch = createBackgroundWatch({ clock, tasks: () => session?.tasks, over: () => dispatch({ kind: "background-over" }) });
	const callers = createCallers({ clock, team: () => state.team, graceMs: ANNOUNCE_GRACE_MS });
	const closed = (agentId: string) => dispatch({ kind: "call", input: { kind: "closed", error: "Stopped.", agentId } });
	const stops = createSubAgentStops({ clock, team: () => state.team, session: () => session, closed });
	let state = deps.team === undefined ? NEW_TURN : { ...NEW_TURN, team: restingTeam(deps.team) };
	let session: TurnSession | undefined;
	const waits = createWaits(() => over.signal.aborted || stall.touch());
	const stall = createStallTimer({
		clock,
		isWaiting: () => waits.count() > 0 || state.calls.size > 0,
		notice: (message, params) => queue.push({ kind: "notice", code: "stalled", message, params }),
	});

	function dispatch(input: TurnInputs) {
		const step = nextTurn(state, input, deps.describe);
		state = step.state;
		for (const effect of step.effects) perform(effect);
		if (state.phase.at !== "ended" || over.signal.aborted) return;
		for (const stop of [stall.stop, timers.cancelAll, watch.end, callers.close]) stop();
		over.abort();
	}

	function perform(effect: TurnEffect) {
		switch (effect.do) {
			case "emit":
				return queue.push(effect.event);
			case "abort":
				return void session?.sdk.abort().catch(() => dispatch({ kind: "stop-failed" }));
			case "limit-stop":
				return timers.set("stop", STOP_TIMEOUT_MS, () => dispatch({ kind: "stop-failed" }));
			case "limit-error":
				return timers.set("error", IDLE_AFTER_ERROR_MS, () => dispatch({ kind: "error-overdue" }));
			case "limit-calls":
				return timers.setOnce("calls", SETTLE_TIMEOUT_MS, () => dispatch({ kind: "calls-overdue" }));
			case "unlimit-error":
				return timers.cancel("error");
			case "watch-background":
			case "unwatch-background":
				return effect.do === "watch-background" ? watch.begin() : watch.end();
			case "invalidate":
				return deps.invalidate();
		}
	}

	async function run(input: TurnInput, stop: AbortSignal) {
		if (heard(stop, () => dispatch({ kind: "stop" }), over.signal)) return;
		// Read before there is anything to abort: what is sent must not come after that.
		const reading = toSent(input, deps.redact);
		try {
			[session] = await Promise.all([deps.attach(), reading]);
		} catch (error) {
			return dispatch({ kind: "attach-failed", error });
		}
		if (over.signal.aborted) return;
		const { gone } = session;
		dispatch({ kind: "attached" });
		if (heard(gone, () => dispatch({ kind: "gone", error: gone.reason }), over.signal)) return;
		stall.touch();
		try {
			const messageId = await send(session, await reading, "enqueue", clock);
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
			if (!isCount(event, state)) dispatch({ kind: "event", event });
			if (isContinuation(event) && !deps.mayGoOn()) dispatch({ kind: "enough" });
			stops.heard(event);
			callers.look();
		},
		events: () => queue.events(),
		team: () => state.team,
		whoAsks: (toolCallId) => callers.of(toolCallId),
		notice: (said) => (over.signal.aborted ? undefined : queue.push({ kind: "notice", ...said })),
		start: (input, stop) => void run(input, stop),
		async steer(input) {
			const isRunning = () => state.phase.at === "running";
			if (session === undefined || !isRunning()) throw notRunning();
			dispatch({ kind: "steer" });
			try {
				dispatch({ kind: "steered", messageId: await steerIn(session, input, deps, isRunning) });
			} catch (error) {
				dispatch({ kind: "steered" });
				throw error;
			}
		},
		...{ stopAgent: stops.stop, forCall: stops.during, waitWhile: waits.during },
		output: (toolCallId, text) => (text === "" ? undefined : dispatch({ kind: "call", input: { kind: "output", toolCallId, text } })),
		async call(call, work) {
			const { toolCallId } = call;
			dispatch({ kind: "call", input: { kind: "delivered", call } });
			const graceOver = () => dispatch({ kind: "call", input: { kind: "grace-over", toolCallId } });
			// The announcement may lie in the pipe, unread because this process was held up.
			if (state.calls.get(toolCallId)?.at === "delivered") {
				const graceMs = state.subAgents ? SETTLE_TIMEOUT_MS : ANNOUNCE_GRACE_MS;
				timers.set(`call ${toolCallId}`, graceMs, () => timers.soon(`call ${toolCallId}`, graceOver));
			}
			const result = await stops.during(toolCallId, work);
			const [success, text] = [result.resultType === "success", result.textResultForLlm];
			dispatch({ kind: "call", input: { kind: "returned", toolCallId, success, text } });
			return result;
		},
	};
}

/** Beside every piece of text comes a count of its bytes: half of all events, and only a sign of life. After an error it says that the turn goes on. */
function isCount(event: SessionEvent, { translation }: TurnState): boolean {
	return event.type === "assistant.streaming_delta" && event.agentId === undefined && translation.error === undefined;
}

/** How many things are waited for that are not the model's. */
function createWaits(onEnd: () => unknown) {
	let count = 0;
	return {
		count: () => count,
		async during<T>(work: Promise<T>): Promise<T> {
			count += 1;
			try {
				return await work;
			} finally {
				count -= 1;
				onEnd();
			}
		},
	};
}

type Sent = Pick<MessageOptions, "prompt" | "displayPrompt" | "attachments">;

async function toSent(input: TurnInput, redact: TurnDeps["redact"]): Promise<Sent> {
	const { attachments = [] } = input;
	return attachments.length === 0 ? wordsOf(input) : { ...wordsOf(input), attachments: await toSentAttachments(attachments, redact) };
}
const wordsOf = ({ prompt, displayPrompt }: TurnInput): Sent => ({
	...{ prompt: prompt.toWellFormed(), displayPrompt: displayPrompt.toWellFormed() },
});

/** Resolves with the id under which the runtime takes up the prompt. */
function send({ sdk, gone }: TurnSession, sent: Sent, mode: "enqueue" | "immediate", clock: Clock): Promise<string> {
	return withTimeout(sdk.send({ ...sent, mode }), { clock, ms: SEND_TIMEOUT_MS, late: runtimeErrors.noAnswer, gone });
}

async function steerIn(session: TurnSession, input: TurnInput, deps: TurnDeps, isRunning: () => boolean): Promise<string> {
	// Without files it is on its way at once.
	const sent = input.attachments === undefined ? wordsOf(input) : await toSent(input, deps.redact);
	// Stopped meanwhile: what is sent after that would run all the same.
	if (!isRunning()) throw notRunning();
	return send(session, sent, "immediate", deps.clock);
}

/** Runs it when the signal aborts; true: it has by now. */
function heard(signal: AbortSignal, run: () => void, until: AbortSignal): boolean {
	if (signal.aborted) run();
	else {
		signal.addEventListener("abort", run, { once: true });
		until.addEventListener("abort", () => signal.removeEventListener("abort", run), { once: true });
	}
	return signal.aborted;
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
