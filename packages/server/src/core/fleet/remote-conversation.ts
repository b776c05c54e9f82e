import type { LiveEvent, Position } from "@rightseat/protocol/fleet/position";
import { assertNever } from "../kernel/errors.ts";
import type { ChainLink } from "../log/chains.ts";
import type { OwnerAnswer } from "../ports/fleet.ts";
import {
	ASK_SPACING_MS,
	ASK_TIMEOUT_MS,
	type Copy,
	DISAGREEING_BEATS,
	MAX_ASIDE_CHARS,
	MAX_ASIDE_EVENTS,
	RETRY_FIRST_MS,
	RETRY_MAX_MS,
	type RemoteEffect,
	type RemoteInput,
	type RemoteState,
	type RemoteStep,
} from "./remote-state.ts";

/**
 * One conversation of another host, read purely. It believes no courier: only the next event of the same history is shown, whatever else arrives makes
 * it ask the owner, and the owner's word replaces what is shown. `now` is monotonic.
 */
export function remoteStep(link: ChainLink, state: RemoteState, input: RemoteInput, now: number): RemoteStep {
	if (state.owner === "gone") return { state, effects: [] };
	switch (input.kind) {
		case "doubt":
			return askSoon({ ...state, waitMs: 0, mustAskAgain: state.ask.kind === "waiting" }, now);
		case "event":
			return onEvent(link, state, input.event, now);
		case "answer":
			return input.ask === state.asks && state.ask.kind === "waiting" ? onAnswer(link, state, input.answer, now) : { state, effects: [] };
		case "beat":
			return onBeat(state, input.head, now);
		case "silent":
			return state.owner === "away" ? { state, effects: [] } : { state: { ...state, owner: "away" }, effects: [{ kind: "read-copy" }] };
		case "copy":
			return onCopy(state, input.copy);
		case "tick":
			return onTick(state, now);
		default:
			return assertNever(input);
	}
}

/** When the machine wants its next tick; undefined: not before something happens. */
export function wakeAt({ ask }: RemoteState): number | undefined {
	if (ask.kind === "resting") return undefined;
	return ask.kind === "due" ? ask.at : ask.until;
}

function onEvent(link: ChainLink, state: RemoteState, event: LiveEvent, now: number): RemoteStep {
	const { shown } = state;
	if (shown !== undefined && isOld(shown, event)) return { state, effects: [] };
	const wasAway = state.owner === "away";
	const here: RemoteState = { ...state, owner: "here" };
	// While the owner is asked its answer decides: an event that is shown now could be missing in a snapshot that is on its way.
	if (here.ask.kind !== "waiting" && !wasAway && isNext(link, shown, event)) {
		return { state: { ...here, shown: positionOf(event), source: "owner" }, effects: [{ kind: "event", event }] };
	}
	return askSoon(putAside(wasAway ? { ...here, waitMs: 0 } : here, event), now);
}

/** Shown already, or of a history that a later one has replaced. */
function isOld(shown: Position, event: LiveEvent): boolean {
	return event.epoch === shown.epoch ? event.seq <= shown.seq : event.generation < shown.generation;
}

function isNext(link: ChainLink, shown: Position | undefined, event: LiveEvent): event is LiveEvent & { frame: string } {
	if (shown === undefined || event.epoch !== shown.epoch || event.seq !== shown.seq + 1 || event.frame === undefined) return false;
	return link(shown.chain, event.frame) === event.chain;
}

function putAside(state: RemoteState, event: LiveEvent): RemoteState {
	const chars = state.asideChars + (event.frame?.length ?? 0);
	if (state.aside.length >= MAX_ASIDE_EVENTS || chars > MAX_ASIDE_CHARS) return { ...state, mustAskAgain: true };
	return { ...state, aside: [...state.aside, event], asideChars: chars };
}

function onAnswer(link: ChainLink, state: RemoteState, answer: OwnerAnswer, now: number): RemoteStep {
	const rested: RemoteState = { ...state, ask: { kind: "resting" } };
	switch (answer.kind) {
		case "failed":
			return onFailure(rested, answer.reason, now);
		case "gone":
			return { state: { ...rested, owner: "gone", aside: [], asideChars: 0 }, effects: [{ kind: "gone" }] };
		case "snapshot": {
			const { position, frame, isRewritten } = answer;
			const shown: RemoteState = { ...rested, shown: position, source: "owner", owner: "here", waitMs: 0, isFresh: false, disagreed: 0 };
			return takeAside(link, shown, [{ kind: "snapshot", position, frame, isRewritten }], now);
		}
		case "events":
			return onEvents(link, { ...rested, owner: "here" }, answer, now);
		default:
			return assertNever(answer);
	}
}

function onEvents(link: ChainLink, state: RemoteState, answer: Extract<OwnerAnswer, { kind: "events" }>, now: number): RemoteStep {
	let { shown } = state;
	const effects: RemoteEffect[] = [];
	for (const event of answer.events) {
		if (shown !== undefined && event.epoch === shown.epoch && event.seq <= shown.seq) continue;
		if (!isNext(link, shown, event)) return unfit({ ...state, shown }, effects, now);
		effects.push({ kind: "event", event });
		shown = positionOf(event);
	}
	const reached = { ...state, shown, source: effects.length > 0 ? "owner" : state.source } as const;
	if (answer.hasMore) {
		// A page without anything new would be asked for again and again.
		return effects.length === 0 ? unfit(reached, effects, now) : withEffects(effects, send({ ...reached, waitMs: 0 }, now));
	}
	if (shown === undefined || !isSame(shown, answer.head)) return unfit(reached, effects, now);
	return takeAside(link, { ...reached, source: "owner", waitMs: 0, isFresh: false, disagreed: 0 }, effects, now);
}

/** The owner's answer does not continue what is shown: ask for everything. */
const unfit = (state: RemoteState, effects: readonly RemoteEffect[], now: number): RemoteStep =>
	withEffects(effects, retry({ ...state, isFresh: true }, now));

/** Shows what came meanwhile and fits; anything else that is not old makes the reader ask again. */
function takeAside(link: ChainLink, state: RemoteState, before: readonly RemoteEffect[], now: number): RemoteStep {
	const effects = [...before];
	let { shown } = state;
	let isLeft = state.mustAskAgain;
	for (const event of state.aside.toSorted((a, b) => a.seq - b.seq)) {
		if (shown !== undefined && isOld(shown, event)) continue;
		if (isNext(link, shown, event)) {
			effects.push({ kind: "event", event });
			shown = positionOf(event);
		} else isLeft = true;
	}
	const taken: RemoteState = { ...state, shown, aside: [], asideChars: 0, mustAskAgain: false };
	return isLeft ? withEffects(effects, askSoon(taken, now)) : { state: taken, effects };
}

function onFailure(state: RemoteState, reason: "no-responders" | "timeout", now: number): RemoteStep {
	if (state.owner === "away" || reason === "timeout") return retry(state, now);
	return withEffects([{ kind: "read-copy" }], retry({ ...state, owner: "away" }, now));
}

function onBeat(state: RemoteState, head: Position | undefined, now: number): RemoteStep {
	if (state.owner === "away") return askSoon({ ...state, owner: "here", waitMs: 0, disagreed: 0 }, now);
	if (head === undefined || state.ask.kind === "waiting") return { state, effects: [] };
	if (state.shown !== undefined && isSame(state.shown, head)) return { state: { ...state, disagreed: 0 }, effects: [] };
	const disagreed = state.disagreed + 1;
	return disagreed < DISAGREEING_BEATS ? { state: { ...state, disagreed }, effects: [] } : askSoon({ ...state, disagreed: 0 }, now);
}

/** A copy is shown only while the owner is away, and only if it is more than what is shown. */
function onCopy(state: RemoteState, copy: Copy | undefined): RemoteStep {
	const { shown } = state;
	if (copy === undefined || state.owner !== "away") return { state, effects: [] };
	const { position, frame, at } = copy;
	const isMore =
		shown === undefined || (position.epoch === shown.epoch ? position.seq > shown.seq : position.generation > shown.generation);
	if (!isMore) return { state, effects: [] };
	const effect = { kind: "snapshot", position, frame, isRewritten: false, copyOf: at } as const;
	return { state: { ...state, shown: position, source: "copy" }, effects: [effect] };
}

function onTick(state: RemoteState, now: number): RemoteStep {
	if (state.ask.kind === "due" && now >= state.ask.at) return send(state, now);
	if (state.ask.kind === "waiting" && now >= state.ask.until) return onFailure({ ...state, ask: { kind: "resting" } }, "timeout", now);
	return { state, effects: [] };
}

/** Asks now, or as soon as it may; an ask that is under way will tell. */
function askSoon(state: RemoteState, now: number): RemoteStep {
	if (state.ask.kind === "waiting") return { state, effects: [] };
	const at = state.lastAskAt + Math.max(ASK_SPACING_MS, state.waitMs);
	return at <= now ? send(state, now) : { state: { ...state, ask: { kind: "due", at } }, effects: [] };
}

function retry(state: RemoteState, now: number): RemoteStep {
	const waitMs = Math.min(RETRY_MAX_MS, state.waitMs === 0 ? RETRY_FIRST_MS : state.waitMs * 2);
	return { state: { ...state, waitMs, ask: { kind: "due", at: now + waitMs } }, effects: [] };
}

function send(state: RemoteState, now: number): RemoteStep {
	const asks = state.asks + 1;
	const from = state.isFresh ? undefined : state.shown;
	return {
		state: { ...state, asks, lastAskAt: now, ask: { kind: "waiting", until: now + ASK_TIMEOUT_MS } },
		effects: [{ kind: "ask", ask: asks, from }],
	};
}

const isSame = (a: Position, b: Position) => a.epoch === b.epoch && a.seq === b.seq && a.chain === b.chain;
const positionOf = ({ generation, epoch, seq, chain }: LiveEvent): Position => ({ generation, epoch, seq, chain });
const withEffects = (before: readonly RemoteEffect[], { state, effects }: RemoteStep): RemoteStep => ({
	state,
	effects: [...before, ...effects],
});
