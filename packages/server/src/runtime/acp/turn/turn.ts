import { randomUUID } from "node:crypto";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { AppError } from "../../../core/kernel/errors.ts";
import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { TurnEvent, TurnInput } from "../../../core/ports/agent-runtime.ts";
import type { PeerFault } from "../../../mcp/message.ts";
import type { AcpLimits } from "../acp-definition.ts";
import { wordOf } from "../fields.ts";
import type { IncomingCall } from "../mcp/tool-server.ts";
import { type Card, findCardOf, openCalls } from "./cards.ts";
import { createPromptSender, type PromptSender, type TurnLink } from "./prompt-sender.ts";
import { createSilenceTimer } from "./silence-timer.ts";
import { createTurnShell, type TurnShell } from "./turn-shell.ts";
import type { SessionUsage, TurnRules } from "./turn-state.ts";
import type { SessionUpdate, ToolReport } from "./updates.ts";

export interface TurnDeps {
	clock: Clock;
	/** Counts what waits for the reader of the turn. */
	account: Pick<MemoryAccount, "add">;
	limits: AcpLimits;
	rules(): TurnRules;
	/** The session, opened if need be. */
	attach(): Promise<TurnLink>;
	/** Ends the agent's process; the next prompt resumes the session. */
	drop(): void;
	/** The error of a prompt, in words for people. */
	describe(fault: PeerFault): AppError;
	/** Takes our own secrets out of a text. */
	redact(text: string): string;
}

/** One turn on a session: sends the prompt, shows what comes of it, and ends exactly once. */
export interface Turn {
	start(input: TurnInput, stop: AbortSignal): void;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
	handle(update: SessionUpdate): void;
	/** A permission is asked for this call: it is shown. Gives what the person decides about: the request's own words, and the call's where it has none. */
	show(report: ToolReport): Card | undefined;
	/** Waiting for a person: the agent cannot be blamed for the silence. */
	waitWhile<T>(work: Promise<T>): Promise<T>;
	/** The card of a call of our tools, which begins now; waits a moment for its announcement. Undefined: the turn is over. */
	begin(call: IncomingCall): Promise<string | undefined>;
	output(toolCallId: string, text: string): void;
	returned(toolCallId: string, result: { ok: boolean; text: string }): void;
	steer(input: TurnInput): Promise<void>;
	/** Aborts when the turn is stopped or has ended: what the agent asks, and what our tools do for it, ends too. */
	readonly signal: AbortSignal;
	readonly ended: boolean;
	/** Resolves when the turn has ended. */
	readonly over: Promise<void>;
	readonly usage: SessionUsage;
}

export function createTurn(deps: TurnDeps): Turn {
	const { clock, account, limits, rules, drop } = deps;
	let waitingFor = 0;
	let touch: () => void = () => undefined;
	const shell: TurnShell = createTurnShell({
		...{ clock, account, stopMs: limits.stopMs, rules, drop },
		cancel() {
			const { link } = sender;
			link?.connection.peer.notify("session/cancel", { sessionId: link.sessionId });
		},
		hold: (isBehind) => sender.link?.connection.peer.hold(isBehind),
	});
	const isWaiting = () => waitingFor > 0 || openCalls(shell.state.cards) > 0;
	const sender: PromptSender = createPromptSender({
		...{ shell: () => shell, rules, attach: deps.attach, drop, describe: deps.describe, redact: deps.redact, isWaiting },
		onBegin() {
			const timer = createSilenceTimer({
				clock,
				isWaiting,
				notice: (seconds) => shell.tell(silent(rules().name, seconds)),
			});
			touch = timer.touch;
			shell.defer(timer.stop);
		},
	});

	return {
		start: (input, stop) => void sender.run(input, stop),
		events: shell.events,
		handle(update) {
			touch();
			shell.dispatch({ kind: "update", update });
		},
		show(report) {
			touch();
			shell.dispatch({ kind: "card", input: { kind: "report", report, isAsked: true } });
			const card = shell.state.cards.get(report.toolCallId);
			return card === undefined ? undefined : askedAs(card, report);
		},
		async waitWhile(work) {
			waitingFor += 1;
			try {
				return await work;
			} finally {
				waitingFor -= 1;
				touch();
			}
		},
		async begin({ toolName, arguments: input, meta }) {
			const told = wordOf(meta["claudecode/toolUseId"]) ?? wordOf(meta.callId);
			const found = told ?? (await waitForCard(shell, { toolName, input }, { clock, ms: limits.announceMs }));
			const toolCallId = found ?? `own-${randomUUID()}`;
			shell.dispatch({ kind: "card", input: { kind: "called", toolCallId, toolName, input } });
			return shell.signal.aborted ? undefined : toolCallId;
		},
		output: (toolCallId, text) => shell.dispatch({ kind: "card", input: { kind: "output", toolCallId, text } }),
		returned: (toolCallId, { ok, text }) => shell.dispatch({ kind: "card", input: { kind: "returned", toolCallId, ok, text } }),
		steer: sender.steer,
		signal: shell.signal,
		get ended() {
			return shell.state.at === "ended";
		},
		over: shell.over,
		get usage() {
			return shell.state.usage;
		},
	};
}

const askedAs = (card: Card, report: ToolReport): Card => ({
	...card,
	title: report.title ?? card.title,
	kind: report.kind ?? card.kind,
	input: report.input === undefined ? card.input : report.input,
});

/** Resolves with the card when it is there, or with undefined when it has not come in time: the call may overtake its announcement. */
function waitForCard(
	shell: TurnShell,
	call: { toolName: string; input: unknown },
	limit: { clock: Clock; ms: number },
): Promise<string | undefined> {
	return new Promise((resolve) => {
		const cancel = limit.clock.after(limit.ms, () => settle(undefined));
		const unsubscribe = shell.onStep(look);
		function settle(found: string | undefined): void {
			cancel();
			unsubscribe();
			resolve(found);
		}
		function look(): void {
			const found = findCardOf(shell.state.cards, call);
			if (found !== undefined || shell.signal.aborted) settle(found);
		}
		look();
	});
}

const silent = (name: string, seconds: number): TurnEvent => ({
	kind: "notice",
	code: "stalled",
	message: `No word from ${name} for ${seconds} s. It may be trying its model again by itself. Wait, or stop and send the message again.`,
	params: { seconds },
});
