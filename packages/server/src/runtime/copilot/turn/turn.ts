import type { CopilotSession, SessionEvent } from "@github/copilot-sdk";
import type { TurnError } from "@rightseat/protocol/model/turn";
import type { TurnOutcome } from "@rightseat/protocol/model/vocabulary";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import type { TurnInput } from "../../../core/ports/agent-runtime.ts";
import { runtimeErrors } from "../process/runtime-errors.ts";
import { within } from "../process/with-timeout.ts";
import type { ToolHost } from "../session/sdk-tools.ts";
import { createStallTimer } from "./stall-timer.ts";
import { fromAppError, type RuntimeErrorData } from "./turn-error.ts";
import { createTurnQueue } from "./turn-queue.ts";
import { createTurnTranslator } from "./turn-translator.ts";

/** The attached session that a turn runs on. */
export interface TurnSession {
	readonly sdk: Pick<CopilotSession, "send" | "abort">;
	/** Aborts when the runtime died or is closed; its reason is an AppError. */
	readonly gone: AbortSignal;
}

export interface TurnDeps {
	clock: Clock;
	attach(): Promise<TurnSession>;
	/** The runtime did not confirm the end of this turn: its session must not be used again as it is. */
	distrust(): void;
	describe(error: RuntimeErrorData): TurnError;
}

export interface Turn extends ToolHost {
	handle(event: SessionEvent): void;
	/** Waiting for a person or a permission: the model cannot be blamed for the silence. */
	waitWhile<T>(work: Promise<T>): Promise<T>;
	steer(input: TurnInput): Promise<void>;
	start(input: TurnInput, stop: AbortSignal): void;
	events(): ReturnType<ReturnType<typeof createTurnQueue>["events"]>;
	readonly ended: boolean;
	/** Resolves when the turn has ended. */
	readonly over: Promise<void>;
}

const SEND_LIMIT_MS = 10_000;
/** Stopping must be over within two seconds even if the runtime does not answer. */
const ABORT_LIMIT_MS = 1_500;
/** After an error the runtime goes idle within milliseconds. */
const IDLE_AFTER_ERROR_MS = 5_000;

export function createTurn(deps: TurnDeps): Turn {
	const { clock } = deps;
	const queue = createTurnQueue();
	const over = new AbortController();
	const results = new Map<string, string>();
	const translator = createTurnTranslator({
		emit: (event) => queue.push(event),
		takeResult(toolCallId) {
			const text = results.get(toolCallId);
			results.delete(toolCallId);
			return text;
		},
	});
	const stall = createStallTimer({
		clock,
		isWaiting: () => waitingFor > 0 || translator.hasOpenTools(),
		notice: (message, params) => queue.push({ kind: "notice", code: "stalled", message, params }),
	});
	/** Prompts that the runtime accepted and has not taken up yet; an idle that comes before belongs to an earlier turn. */
	const expected = new Set<string>();
	const seen = new Set<string>();
	let session: TurnSession | undefined;
	let early: SessionEvent[] | undefined = [];
	let sending = 0;
	let idle = false;
	let stopping = false;
	let waitingFor = 0;
	let cancelErrorGuard: Cancel = () => undefined;

	function end(outcome: TurnOutcome, error?: TurnError, toolError = "Stopped.") {
		if (queue.ended) return;
		stall.stop();
		cancelErrorGuard();
		translator.closeTools(toolError);
		queue.push({ kind: "turn-end", outcome, ...(error === undefined ? {} : { error }) });
		over.abort();
	}

	function endIfIdle() {
		if (!idle || sending > 0 || (expected.size > 0 && !stopping)) return;
		if (stopping) end("aborted");
		else if (translator.error !== undefined) endFailed();
		else end("completed");
	}

	function endFailed() {
		if (translator.error !== undefined) end("error", deps.describe(translator.error), "The turn failed.");
	}

	async function send(input: TurnInput, mode: "enqueue" | "immediate", on: TurnSession) {
		sending += 1;
		try {
			const attachments = input.attachments?.map(({ path, name }) => ({ type: "file" as const, path, displayName: name.toWellFormed() }));
			const sent = on.sdk.send({
				prompt: input.prompt.toWellFormed(),
				displayPrompt: input.displayPrompt.toWellFormed(),
				mode,
				...(attachments === undefined || attachments.length === 0 ? {} : { attachments }),
			});
			const late = runtimeErrors.noAnswer;
			const messageId = await within(sent, { clock, ms: SEND_LIMIT_MS, late, gone: on.gone });
			if (seen.has(messageId)) return;
			expected.add(messageId);
			idle = false;
		} finally {
			sending -= 1;
		}
	}

	async function stop(on: TurnSession) {
		if (stopping || queue.ended) return;
		stopping = true;
		const late = () => new AppError("runtime-died", "The Copilot runtime did not confirm the stop.");
		clock.after(ABORT_LIMIT_MS, () => {
			if (queue.ended) return;
			deps.distrust();
			end("aborted");
		});
		try {
			await within(on.sdk.abort(), { clock, ms: ABORT_LIMIT_MS, late, gone: on.gone });
		} catch {
			deps.distrust();
			end("aborted");
		}
		endIfIdle();
	}

	async function run(input: TurnInput, signal: AbortSignal) {
		if (signal.aborted) return end("aborted");
		const stoppedEarly = () => end("aborted");
		signal.addEventListener("abort", stoppedEarly, { once: true });
		const on = await deps.attach();
		signal.removeEventListener("abort", stoppedEarly);
		if (queue.ended) return;
		session = on;
		const onGone = () => {
			const error: unknown = on.gone.reason;
			if (stopping || signal.aborted) end("aborted");
			else end("interrupted", fromAppError(error), "The Copilot runtime stopped.");
		};
		on.gone.addEventListener("abort", onGone, { once: true });
		over.signal.addEventListener("abort", () => on.gone.removeEventListener("abort", onGone), { once: true });
		if (on.gone.aborted) return onGone();
		// The runtime loses an abort that overtakes the prompt, so a stop waits until the prompt has arrived; but not for long.
		const limitStop = () => clock.after(ABORT_LIMIT_MS, () => (early === undefined ? undefined : giveUp()));
		const giveUp = () => {
			deps.distrust();
			end("aborted");
		};
		signal.addEventListener("abort", limitStop, { once: true });
		stall.touch();
		await send(input, "enqueue", on);
		signal.removeEventListener("abort", limitStop);
		const held = early ?? [];
		early = undefined;
		// Before what was held: an idle among it would end a turn that a person has stopped as completed.
		const stopped = signal.aborted ? stop(on) : undefined;
		for (const event of held) handle(event);
		if (queue.ended || stopped !== undefined) return stopped;
		signal.addEventListener("abort", () => stop(on).catch(() => end("aborted")), { once: true });
	}

	function handle(event: SessionEvent) {
		if (queue.ended) return;
		if (early !== undefined) {
			early.push(event);
			return;
		}
		stall.touch();
		// Sub-agents report to the agent, not to the reader; but what they run, runs on the reader's machine.
		if (event.agentId !== undefined) return translator.handleSubAgent(event);
		cancelErrorGuard();
		switch (event.type) {
			case "user.message":
				if (event.data.messageId !== undefined) {
					seen.add(event.data.messageId);
					expected.delete(event.data.messageId);
				}
				return;
			case "assistant.idle":
			case "session.idle":
				// An idle of the turn before may still be on its way when this one begins.
				if (seen.size === 0 && !stopping) return;
				idle = true;
				return endIfIdle();
			default:
				translator.handle(event);
		}
		if (event.type === "session.error") {
			cancelErrorGuard = clock.after(IDLE_AFTER_ERROR_MS, () => {
				deps.distrust();
				endFailed();
			});
		}
	}

	return {
		signal: over.signal,
		over: new Promise((resolve) => over.signal.addEventListener("abort", () => resolve(), { once: true })),
		get ended() {
			return queue.ended;
		},
		handle,
		events: () => queue.events(),
		start(input, signal) {
			run(input, signal).catch((error: unknown) => {
				if (signal.aborted) end("aborted");
				else if (session !== undefined && error instanceof AppError)
					end("interrupted", fromAppError(error), "The Copilot runtime stopped.");
				else end("error", fromAppError(error));
			});
		},
		async steer(input) {
			const on = session;
			if (on === undefined || queue.ended || stopping || early !== undefined) throw notRunning();
			await send(input, "immediate", on);
			endIfIdle();
		},
		async waitWhile(work) {
			waitingFor += 1;
			try {
				return await work;
			} finally {
				waitingFor -= 1;
				stall.touch();
			}
		},
		output(toolCallId, text) {
			if (text !== "" && translator.isOpenTool(toolCallId)) queue.push({ kind: "tool-output", toolCallId, content: text });
		},
		async call(call, work) {
			const { toolCallId } = call;
			// A call that comes before the prompt was confirmed is announced among the events that are still held.
			const unannounced = early === undefined && translator.beginTool(call);
			const result = await work();
			if (unannounced) translator.endTool(toolCallId, result.resultType === "success", result.textResultForLlm);
			else if (translator.isOpenTool(toolCallId)) results.set(toolCallId, result.textResultForLlm);
			return result;
		},
	};
}

export const notRunning = () => new AppError("not-running", "No turn is running that this could join. Send it as a message of its own.");
