import { truncateText, truncateValue } from "../../../core/kernel/truncate.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";
import { ourToolOf } from "./our-tools.ts";
import type { Diff, ToolReport } from "./updates.ts";

/** One call of a tool, as people see it. */
export interface Card {
	readonly toolCallId: string;
	readonly toolName: string;
	readonly title: string | undefined;
	/** One of ours, over MCP. */
	readonly ours: string | undefined;
	readonly kind: string | undefined;
	readonly input: unknown;
	/** An announcement without its input is kept back until the input comes, or anything else happens with the call. */
	readonly isShown: boolean;
	/** A call of our MCP server belongs to it. */
	readonly isCalled: boolean;
	readonly isEnded: boolean;
	/** The end of what was shown of its output. */
	readonly shown: string;
	/** What came as deltas only, the end of it. */
	readonly collected: string;
	/** The diff that was shown last of each file. */
	readonly diffs: ReadonlyMap<string, Diff>;
}

export type Cards = ReadonlyMap<string, Card>;

export type CardInput =
	/** `isAsked`: it comes with a permission request, which people must see the call of. */
	| { kind: "report"; report: ToolReport; isAsked?: boolean }
	/** A call of our MCP server begins; it belongs to this card, or to a new one. */
	| { kind: "called"; toolCallId: string; toolName: string; input: unknown }
	| { kind: "output"; toolCallId: string; text: string }
	| { kind: "returned"; toolCallId: string; ok: boolean; text: string }
	/** The turn ends: whatever is open ends with it. */
	| { kind: "closed"; error: string };

export interface CardRules {
	ourTools: readonly string[];
	nameInId: boolean;
}

/** Every call has one start before its end, and one end; what is reported of it later changes nothing. */
export function nextCards(cards: Cards, input: CardInput, rules: CardRules): { cards: Cards; events: TurnEvent[] } {
	switch (input.kind) {
		case "report":
			return report(cards, input.report, input.isAsked === true, rules);
		case "called":
			return called(cards, input);
		case "output": {
			const card = cards.get(input.toolCallId);
			if (card === undefined || card.isEnded || input.text === "") return { cards, events: [] };
			const shown = put(cards, show(card));
			return { cards: shown.cards, events: [...shown.events, { kind: "tool-output", toolCallId: card.toolCallId, content: input.text }] };
		}
		case "returned": {
			const card = cards.get(input.toolCallId);
			return card === undefined || card.isEnded ? { cards, events: [] } : put(cards, end(show(card), input.ok, input.text));
		}
		case "closed":
			return close(cards, input.error);
	}
}

/** Open calls that the agent runs by itself: a command of one may outlive the turn. */
export const openOwnCalls = (cards: Cards): number =>
	[...cards.values()].filter((card) => !card.isEnded && card.ours === undefined && card.isShown).length;

export const openCalls = (cards: Cards): number => [...cards.values()].filter((card) => !card.isEnded).length;

/** The card that a call of our MCP server belongs to, when the call does not say it itself: same tool and input first, then in order. */
export function findCardOf(cards: Cards, call: { toolName: string; input: unknown }): string | undefined {
	const open = [...cards.values()].filter((card) => card.ours === call.toolName && !card.isCalled && !card.isEnded);
	const wanted = JSON.stringify(call.input ?? {});
	const same = open.find((card) => JSON.stringify(card.input ?? {}) === wanted) ?? open.find((card) => card.input === undefined);
	return (same ?? open[0])?.toolCallId;
}

/** A card and the events that changing it made. */
interface Change {
	card: Card;
	events: TurnEvent[];
}

const MAX_KEPT_CHARS = 65_536;
/** Calls of one turn that are shown. A flood of them would otherwise cost memory, and time that everybody else waits for. */
export const MAX_CARDS = 2_000;

const isFull = (cards: Cards, toolCallId: string) => cards.size >= MAX_CARDS && !cards.has(toolCallId);

function put(cards: Cards, { card, events }: Change): { cards: Cards; events: TurnEvent[] } {
	return { cards: new Map(cards).set(card.toolCallId, card), events };
}

function report(cards: Cards, said: ToolReport, isAsked: boolean, rules: CardRules): { cards: Cards; events: TurnEvent[] } {
	const before = cards.get(said.toolCallId);
	if (before?.isEnded === true || isFull(cards, said.toolCallId)) return { cards, events: [] };
	const card = merge(before, isAsked && before !== undefined ? fillIn(before, said) : said, rules);
	const isOver = said.status === "completed" || said.status === "failed";
	const isKnown = card.input !== undefined || isAsked || isOver || said.status === "in_progress" || said.delta !== undefined;
	let change: Change = { card, events: [] };
	if (before?.isShown === true && isNews(before, card)) change = { card, events: [start(card)] };
	else if (isKnown || said.diffs.length > 0) change = show(card);
	change = addDiffs(change, said.diffs);
	if (!isOver) return put(cards, addOutput(change, said));
	change = addDelta(change, said.delta);
	const words = said.output ?? change.card.collected;
	const ended = end({ card: change.card, events: [] }, said.status === "completed", stripFence(words));
	return put(cards, { card: ended.card, events: [...change.events, ...ended.events] });
}

/** A permission request is about the call, but its words and its input may be those of the permission: what is known of the call stays. */
const fillIn = (before: Card, said: ToolReport): ToolReport => ({
	...said,
	name: undefined,
	title: before.title ?? said.title,
	kind: before.kind ?? said.kind,
	input: before.input === undefined ? said.input : undefined,
});

function merge(before: Card | undefined, said: ToolReport, rules: CardRules): Card {
	const ours = before?.ours ?? ourToolOf(said, rules.ourTools);
	const title = said.title ?? before?.title;
	const named = said.name ?? (rules.nameInId ? nameInId(said.toolCallId) : undefined);
	const kind = said.kind ?? before?.kind;
	return {
		toolCallId: said.toolCallId,
		toolName: ours ?? named ?? (before?.isShown === true ? before.toolName : nameOf(kind, title)),
		title,
		ours,
		kind,
		input: said.input === undefined ? before?.input : truncateValue(said.input),
		isShown: before?.isShown ?? false,
		isCalled: before?.isCalled ?? false,
		isEnded: false,
		shown: before?.shown ?? "",
		collected: before?.collected ?? "",
		diffs: before?.diffs ?? new Map(),
	};
}

const nameInId = (toolCallId: string) => /^([A-Za-z]\w*?)(?:__|-)/.exec(toolCallId)?.[1];
const nameOf = (kind: string | undefined, title: string | undefined) => (kind === undefined || kind === "other" ? (title ?? "tool") : kind);

const isNews = (before: Card, now: Card) => before.title !== now.title || JSON.stringify(before.input) !== JSON.stringify(now.input);

function start(card: Card): TurnEvent {
	const { toolCallId, toolName, title, ours, kind } = card;
	return {
		...{ kind: "tool-start" as const, toolCallId, toolName, arguments: card.input ?? {} },
		...(title === undefined || title === toolName || ours !== undefined ? {} : { title }),
		...(kind === "execute" && ours === undefined ? { shell: "agent" as const } : {}),
		...(kind !== undefined && READING.has(kind) && ours === undefined ? { reads: true as const } : {}),
	};
}

/** Kinds of calls that change no file. */
const READING = new Set(["read", "search", "fetch", "think", "switch_mode"]);

function show(card: Card): Change {
	return card.isShown ? { card, events: [] } : { card: { ...card, isShown: true }, events: [start(card)] };
}

function addDiffs({ card, events }: Change, diffs: Diff[]): Change {
	const fresh = diffs.filter((diff) => JSON.stringify(card.diffs.get(diff.path)) !== JSON.stringify(diff));
	if (fresh.length === 0) return { card, events };
	const known = new Map(card.diffs);
	for (const diff of fresh) known.set(diff.path, diff);
	const shown = fresh.map(({ path, oldText, newText }): TurnEvent => {
		const texts = { path, newText: truncateText(newText) };
		const { toolCallId } = card;
		return oldText === undefined
			? { kind: "tool-diff", toolCallId, ...texts }
			: { kind: "tool-diff", toolCallId, ...texts, oldText: truncateText(oldText) };
	});
	return { card: { ...card, diffs: known }, events: [...events, ...shown] };
}

/** Agents repeat all the output so far; people see what is new in it. */
function addOutput(change: Change, said: ToolReport): Change {
	if (said.delta !== undefined) return addDelta(change, said.delta);
	const { card, events } = change;
	if (said.output === undefined || said.output === "" || card.ours !== undefined) return change;
	const fresh = stripFence(newPart(card.shown, said.output));
	if (fresh === "") return change;
	const shown = show({ ...card, shown: said.output.slice(-MAX_KEPT_CHARS) });
	return {
		card: shown.card,
		events: [...events, ...shown.events, { kind: "tool-output", toolCallId: card.toolCallId, content: tail(fresh) }],
	};
}

function addDelta({ card, events }: Change, delta: string | undefined): Change {
	if (delta === undefined || delta === "") return { card, events };
	const shown = show({ ...card, collected: (card.collected + delta).slice(-MAX_KEPT_CHARS) });
	return {
		card: shown.card,
		events: [...events, ...shown.events, { kind: "tool-output", toolCallId: card.toolCallId, content: tail(delta) }],
	};
}

const tail = (text: string) => text.slice(-MAX_KEPT_CHARS).toWellFormed();

function newPart(shown: string, now: string): string {
	if (shown === "") return now;
	// The output is the same but for its end, or its beginning was cut: what follows the last words that were shown is new.
	const last = shown.slice(-200);
	const at = now.lastIndexOf(last);
	return at === -1 ? now : now.slice(at + last.length);
}

/** Claude Code puts output into a fence of Markdown. */
const stripFence = (text: string) => /^```[\w-]*\n([\s\S]*?)\n?```$/.exec(text.trim())?.[1] ?? text;

function end(from: Change | Card, success: boolean, words: string): Change {
	const { card, events } = "card" in from ? from : { card: from, events: [] };
	const { toolCallId } = card;
	const text = truncateText(words);
	const over: TurnEvent = success
		? { kind: "tool-end", toolCallId, success, result: text }
		: { kind: "tool-end", toolCallId, success, error: text === "" ? "It failed." : text };
	// Only the id is needed from here on: what comes later is ignored.
	const kept = { ...card, isEnded: true, input: undefined, shown: "", collected: "", diffs: new Map<string, Diff>() };
	return { card: kept, events: [...events, over] };
}

function called(
	cards: Cards,
	{ toolCallId, toolName, input }: Extract<CardInput, { kind: "called" }>,
): { cards: Cards; events: TurnEvent[] } {
	const before = cards.get(toolCallId);
	if (before?.isEnded === true || isFull(cards, toolCallId)) return { cards, events: [] };
	const known = truncateValue(input);
	const fresh = { toolCallId, title: undefined, kind: undefined, shown: "", collected: "", diffs: new Map<string, Diff>() };
	const card: Card = {
		...(before ?? { ...fresh, isShown: false, isEnded: false }),
		...{ toolName, ours: toolName, isCalled: true, input: known },
	};
	if (before?.isShown === true && isNews(before, card)) return put(cards, { card, events: [start(card)] });
	return put(cards, show(card));
}

function close(cards: Cards, error: string): { cards: Cards; events: TurnEvent[] } {
	const closed = new Map(cards);
	const events: TurnEvent[] = [];
	for (const card of cards.values()) {
		if (card.isEnded) continue;
		const shown = show(card);
		const over = end(shown, false, error);
		closed.set(card.toolCallId, over.card);
		events.push(...over.events);
	}
	return { cards: closed, events };
}
