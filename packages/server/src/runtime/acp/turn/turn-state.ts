import type { TurnError, Usage } from "@rightseat/protocol/model/turn";
import type { AppError } from "../../../core/kernel/errors.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { acpErrors } from "../acp-errors.ts";
import type { Quirks } from "../quirks.ts";
import { type CardInput, type Cards, nextCards, openOwnCalls } from "./cards.ts";
import { closeMessage, type Messages, NO_MESSAGES, nextPiece } from "./messages.ts";
import type { SessionUpdate, Tokens } from "./updates.ts";

/** How full the context is and what the session has cost, as the agent last said. */
export interface SessionUsage {
	readonly contextTokens?: number;
	readonly contextLimit?: number;
	/** Of the whole session. */
	readonly cost?: number;
	/** It has cost nothing before its first turn; of one that was resumed nobody knows what it had cost. */
	readonly isNew?: boolean;
	/** Of the whole session, for agents that count that way. */
	readonly tokens?: Tokens;
}

export interface TurnState {
	readonly at: "sending" | "running" | "stopping" | "ended";
	readonly messages: Messages;
	readonly cards: Cards;
	readonly usage: SessionUsage;
	/** Tokens that came with pieces of the answer. */
	readonly tokens: Tokens | undefined;
	/** The agent has said or done something that people see. */
	readonly isHeard: boolean;
}

export type TurnMachineInput =
	/** The prompt is written. */
	| { kind: "sent" }
	/** No agent to send it to. */
	| { kind: "open-failed"; error: AppError }
	| { kind: "update"; update: SessionUpdate }
	| { kind: "card"; input: CardInput }
	/** The prompt is answered. `tokens` null: the agent says that there are none. */
	| { kind: "answered"; stopReason: string; tokens: Tokens | null | undefined }
	/** The prompt is answered with an error, or with something that is no answer. */
	| { kind: "failed"; error: AppError }
	| { kind: "stop" }
	/** The stop was not answered in time. */
	| { kind: "stop-overdue" }
	/** The process died, froze or was closed. */
	| { kind: "gone"; error: AppError };

export type TurnEffect =
	| { do: "emit"; event: TurnEvent }
	/** Tell the agent to stop, and take back what it asks. */
	| { do: "cancel" }
	/** Answer with `stop-overdue` unless the turn ends in time. */
	| { do: "limit-stop" }
	/** Nothing of the agent may go on: it is ended, and resumed at the next prompt. */
	| { do: "kill" };

export interface TurnRules {
	/** The agent's, as people read it. */
	name: string;
	/** Of the session, for the usage; empty: not known. */
	model: string;
	quirks: Quirks;
	ourTools: readonly string[];
	/** Begins the ids of messages; another one in every turn. */
	prefix: string;
	/** As of the turn before. */
	earlier: SessionUsage;
}

interface Step {
	state: TurnState;
	effects: TurnEffect[];
}

export const newTurn = (usage: SessionUsage): TurnState => ({
	at: "sending",
	messages: NO_MESSAGES,
	cards: new Map(),
	usage,
	tokens: undefined,
	isHeard: false,
});

/** One turn. Whatever comes in whatever order, exactly one `turn-end` is emitted, last. */
export function nextTurn(state: TurnState, input: TurnMachineInput, rules: TurnRules): Step {
	if (state.at === "ended") return { state, effects: [] };
	switch (input.kind) {
		case "sent":
			return state.at === "sending" ? { state: { ...state, at: "running" }, effects: [] } : { state, effects: [] };
		case "open-failed":
			return end(state, { outcome: "error", error: input.error }, rules);
		case "update":
			return hear(state, input.update, rules);
		case "card":
			return showCards(state, input.input, rules);
		case "answered":
			return answered(state, input, rules);
		case "failed":
			// Some agents answer a stop with an error.
			return state.at === "stopping" ? stopped(state, rules) : end(state, { outcome: "error", error: input.error }, rules);
		case "stop":
			return stop(state, rules);
		case "stop-overdue":
			return end(state, { outcome: "aborted" }, rules, [{ do: "kill" }]);
		case "gone":
			if (state.at === "stopping") return end(state, { outcome: "aborted" }, rules);
			return end(state, { outcome: "interrupted", error: input.error }, rules);
	}
}

function stop(state: TurnState, rules: TurnRules): Step {
	switch (state.at) {
		case "sending":
			return end(state, { outcome: "aborted" }, rules);
		case "running":
			return { state: { ...state, at: "stopping" }, effects: [{ do: "limit-stop" }, { do: "cancel" }] };
		case "stopping":
		case "ended":
			return { state, effects: [] };
	}
}

/** The agent says that it has stopped; a call of its own that is still open may be a command that runs on. */
function stopped(state: TurnState, rules: TurnRules): Step {
	return end(state, { outcome: "aborted" }, rules, openOwnCalls(state.cards) > 0 ? [{ do: "kill" }] : []);
}

function answered(state: TurnState, input: Extract<TurnMachineInput, { kind: "answered" }>, rules: TurnRules): Step {
	const counted = { ...state, tokens: tokensOf(state, input.tokens, rules), usage: withTokens(state.usage, input.tokens, rules) };
	if (state.at === "stopping") return stopped(counted, rules);
	const error = errorIn(counted, input, rules);
	if (error !== undefined) return end(counted, { outcome: "error", error }, rules);
	const cut = endedEarly(input.stopReason, rules.name);
	return end(counted, { outcome: "completed", ...(cut === undefined ? {} : { notice: cut }) }, rules);
}

function errorIn(state: TurnState, input: Extract<TurnMachineInput, { kind: "answered" }>, rules: TurnRules): AppError | undefined {
	const { last } = closeMessage(state.messages).messages;
	const { errorText } = rules.quirks;
	if (errorText === "untagged" && input.tokens === null && last?.isTagged === false) return acpErrors.said(rules.name, last.content);
	if (errorText === "prefix" && last?.content.startsWith("Error: ")) return acpErrors.said(rules.name, last.content.slice(7));
	// After a refused permission Codex says `cancelled` by itself; with no word at all people would see nothing.
	const isSaid = state.isHeard || input.stopReason === "cancelled" || endedEarly(input.stopReason, rules.name) !== undefined;
	if (!isSaid) return acpErrors.didNothing(rules.name);
	return undefined;
}

/** What an answer that is not the whole answer says besides. */
function endedEarly(stopReason: string, name: string): TurnEvent | undefined {
	const reason = stopReason.replaceAll("_", "-");
	const words = CUT_ANSWERS[reason];
	if (words === undefined) return undefined;
	return { kind: "notice", code: "answer-cut", message: `${name} ${words}`, params: { reason, name }, lasting: true };
}

const CUT_ANSWERS: Readonly<Record<string, string>> = {
	refusal: "refused to go on with this. Say it in other words, or ask for something else.",
	"max-tokens": "reached the limit of its model for one answer, so the end of this one is missing. Send “Continue” to go on.",
	"max-turn-requests": "made as many calls to its model as one turn may have, and stopped. Send “Continue” to go on.",
};

/** Tokens of this turn: as the answer says, less what the session had before where the agent counts that way, else what came with the pieces. */
function tokensOf(state: TurnState, said: Tokens | null | undefined, { quirks, earlier }: TurnRules): Tokens | undefined {
	if (said === undefined || said === null) return state.tokens;
	if (quirks.usage !== "session") return said;
	const before = earlier.tokens ?? { input: 0, output: 0 };
	return { input: Math.max(0, said.input - before.input), output: Math.max(0, said.output - before.output) };
}

const withTokens = (usage: SessionUsage, said: Tokens | null | undefined, { quirks }: TurnRules): SessionUsage =>
	quirks.usage === "session" && said ? { ...usage, tokens: said } : usage;

function hear(state: TurnState, update: SessionUpdate, rules: TurnRules): Step {
	switch (update.kind) {
		case "text":
		case "thought": {
			const tokens = add(state.tokens, update.usage);
			const { messages, events } = nextPiece(state.messages, update, rules.prefix);
			return emit({ ...state, tokens, messages, isHeard: state.isHeard || events.length > 0 }, events);
		}
		case "tool":
			return showCards(state, { kind: "report", report: update.report }, rules);
		case "plan":
			return emit({ ...state, isHeard: true }, [{ kind: "plan", entries: update.entries }]);
		case "title":
			return emit(state, [{ kind: "title", title: update.title }]);
		case "context": {
			const { used, size, cost } = update;
			const known = {
				...(used === undefined ? {} : { contextTokens: used }),
				...(size === undefined ? {} : { contextLimit: size }),
				...(cost === undefined ? {} : { cost }),
			};
			return { state: { ...state, usage: { ...state.usage, ...known } }, effects: [] };
		}
		case "options":
		case "mode":
		case "commands":
		case "other":
			return { state, effects: [] };
	}
}

function add(sum: Tokens | undefined, more: Tokens | undefined): Tokens | undefined {
	if (more === undefined) return sum;
	return { input: (sum?.input ?? 0) + more.input, output: (sum?.output ?? 0) + more.output };
}

/** A card that begins to be shown ends the message before it. */
function showCards(state: TurnState, input: CardInput, rules: TurnRules): Step {
	const { cards, events } = nextCards(state.cards, input, { ourTools: rules.ourTools, nameInId: rules.quirks.nameInId === true });
	const begins = events.some((event) => event.kind === "tool-start");
	const closed = begins ? closeMessage(state.messages) : { messages: state.messages, events: [] };
	const isHeard = state.isHeard || events.length > 0;
	return emit({ ...state, cards, messages: closed.messages, isHeard }, [...closed.events, ...events]);
}

const emit = (state: TurnState, events: TurnEvent[]): Step => ({ state, effects: events.map((event) => ({ do: "emit", event })) });

type End = { outcome: "completed" | "aborted"; notice?: TurnEvent } | { outcome: "error" | "interrupted"; error: AppError };

function end(state: TurnState, how: End, rules: TurnRules, before: TurnEffect[] = []): Step {
	const reason = how.outcome === "completed" ? "The agent did not say how this ended." : "error" in how ? how.error.message : "Stopped.";
	const closed = showCards(state, { kind: "closed", error: reason }, rules);
	const message = closeMessage(closed.state.messages);
	const usage = usageOf(closed.state, rules);
	const last: TurnEvent[] = [
		...message.events,
		...(usage === undefined ? [] : [{ kind: "usage" as const, ...usage }]),
		...("notice" in how && how.notice !== undefined ? [how.notice] : []),
		"error" in how ? { kind: "turn-end", outcome: how.outcome, error: toTurnError(how.error) } : { kind: "turn-end", outcome: how.outcome },
	];
	const over: TurnState = { ...closed.state, at: "ended", messages: message.messages };
	return { state: over, effects: [...before, ...closed.effects, ...emit(over, last).effects] };
}

function usageOf({ tokens, usage }: TurnState, { model, earlier }: TurnRules): Usage | undefined {
	const { contextTokens, contextLimit, cost } = usage;
	const isCounted = tokens !== undefined && tokens.input + tokens.output > 0;
	const before = earlier.cost ?? (earlier.isNew === true ? 0 : undefined);
	const spent = cost === undefined || before === undefined ? undefined : Math.max(0, cost - before);
	if (!isCounted && contextTokens === earlier.contextTokens && (spent ?? 0) === 0) return undefined;
	return {
		inputTokens: tokens?.input ?? 0,
		outputTokens: tokens?.output ?? 0,
		model,
		...(contextTokens === undefined ? {} : { contextTokens }),
		...(contextLimit === undefined ? {} : { contextLimit }),
		...(spent === undefined ? {} : { cost: spent }),
	};
}

function toTurnError({ code, message, params, retryable }: AppError): TurnError {
	return { code, message, ...(params === undefined ? {} : { params: { ...params } }), retryable };
}
