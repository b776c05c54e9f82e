import type { DayBudget } from "@rightseat/protocol/http/budget";
import type { Budget, BudgetDecision, BudgetRequest } from "@rightseat/protocol/model/budget";
import type { Origin } from "@rightseat/protocol/model/vocabulary";
import type { ActiveConversations, PendingBudget } from "../active/active-conversations.ts";
import type { Closing } from "../active/closing.ts";
import type { WaitDeps } from "../asks/wait-for-answer.ts";
import type { Cancel } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import { askBudget } from "./ask-budget.ts";
import type { Standing } from "./standing.ts";

/** While something waits for the limit of a day, this often is looked whether that day is over. */
const DAY_CHECK_MS = 60_000;

/** A person's decision about a limit that is reached. */
export interface BudgetResponse {
	/** Without it: whichever conversation has this request. */
	conversationId?: ConversationId | undefined;
	requestId: string;
	decision: BudgetDecision;
	/** The new limit, with `raise`; without it as much again as the old one, from what is used now. */
	limit?: number | undefined;
	by: Origin;
	/** The address or the person, for the audit log. */
	from?: string;
}

/** Holds model calls at their limits. */
export interface Budgets {
	/**
	 * Undefined where no limit holds. Else resolves when the next call of a model may be made: below every limit, when a person lets it, when the limit is
	 * raised or over, or when the turn is stopped. Never throws, never rejects.
	 */
	pass(conversationId: ConversationId, signal: AbortSignal): Promise<void> | undefined;
	/** No limit is reached: a model may be called without asking anybody. Throws when the disk cannot be read. */
	isFree(conversationId: ConversationId): boolean;
	/** The first decision wins; throws `request-not-found` when it is settled already or unknown, `bad-request` when the new limit is used up already. */
	respond(response: BudgetResponse): void;
	pending(conversationId: ConversationId): BudgetRequest[];
	/** What all conversations together may use in a day. */
	dayBudget(): DayBudget;
	setDayBudget(budget: DayBudget): void;
	/** Limits have changed: what waits for one that is no longer reached goes on. */
	changed(): void;
	close(): void;
}

/** How a request may end without a person who answers it. */
type Freed = { outcome: "expired" } | { outcome: "answered"; decision: "raise"; by?: Origin };

/** Requests live in `active`, as questions do; a limit that is reached asks once per conversation, however many calls it holds. */
export function createBudgets(
	deps: WaitDeps & { active: ActiveConversations; closing: Pick<Closing, "check">; ids: IdSource; standing: Standing },
): Budgets {
	const { active, clock, standing } = deps;
	/** Calls that wait, by conversation: they all wait for one answer. */
	const waiting = new Map<ConversationId, Promise<boolean>>();
	let cancelDayCheck: Cancel | undefined;

	function pass(id: ConversationId, signal: AbortSignal): Promise<void> | undefined {
		try {
			return standing.isLimited(id) ? wait(id, signal).catch((error: unknown) => letGo(id, error)) : undefined;
		} catch (error) {
			return void letGo(id, error);
		}
	}
	/** A disk that cannot be read must not hold an agent for ever; its events cannot be stored either, which ends the turn. */
	function letGo(conversationId: ConversationId, error: unknown): void {
		deps.logger.error({ err: error, conversationId }, "A limit could not be looked at; the model is called all the same");
	}

	async function wait(id: ConversationId, signal: AbortSignal): Promise<void> {
		// What the model has used is told together with what it wants next; that has to be read first.
		await new Promise<void>((resolve) => void clock.soon(resolve));
		for (let goesOn = true; goesOn && !signal.aborted; ) {
			// What is still to be written counts as well.
			deps.log.flush();
			if (active.find(id)?.turn?.isPastBudget === true) return;
			const reached = standing.reached(id);
			if (reached === undefined) return;
			const asked = waiting.get(id) ?? askBudget(deps, id, reached).finally(() => waiting.delete(id));
			waiting.set(id, asked);
			if (reached.scope === "day") checkDay();
			goesOn = await orAborted(asked, signal);
		}
	}

	/** A new day has a limit of its own. Looked at often instead of once at midnight: clocks are set, and machines sleep. */
	function checkDay(): void {
		cancelDayCheck ??= clock.after(DAY_CHECK_MS, () => {
			cancelDayCheck = undefined;
			free(({ scope }) => scope === "day", { outcome: "expired" });
			const isWaiting = active.withTurn().some(({ budgets }) => [...budgets.values()].some(({ scope }) => scope === "day"));
			if (isWaiting) checkDay();
		});
	}

	/** Of those that are meant whatever waits for a limit that is not reached any more goes on. */
	function free(isMeant: (asked: BudgetRequest) => boolean, end: Freed): void {
		for (const { id, budgets } of active.withTurn()) {
			for (const asked of [...budgets.values()].filter(isMeant)) {
				const now = standing.of(id, asked);
				if (now !== undefined && now.used >= now.limit) continue;
				asked.settle(end.outcome === "expired" || now === undefined ? end : { ...end, limit: now.limit });
			}
		}
	}

	function find({ conversationId, requestId }: BudgetResponse): { id: ConversationId; asked: PendingBudget } {
		for (const { id, budgets } of active.withTurn()) {
			const asked = budgets.get(requestId);
			if (asked !== undefined && (conversationId === undefined || conversationId === id)) return { id, asked };
		}
		throw new AppError("request-not-found", "This was answered already, has expired, or belongs to a turn that ended.");
	}

	return {
		pass,
		isFree: (id) => standing.reached(id) === undefined,
		respond(response) {
			const { id, asked } = find(response);
			deps.closing.check(id);
			const { decision, by } = response;
			if (decision !== "raise") return asked.settle({ outcome: "answered", decision, by });
			const { used } = standing.of(id, asked) ?? asked;
			const limit = response.limit ?? used + Math.max(asked.limit, 1);
			if (limit <= used) throw usedUp(used);
			standing.set(id, asked, asked.unit === "tokens" ? Math.ceil(limit) : limit);
			free(({ scope, unit }) => scope === asked.scope && unit === asked.unit, { outcome: "answered", decision, by });
		},
		pending: (id) => [...(active.find(id)?.budgets.values() ?? [])].map(({ settle: _, askedAt: __, ...request }) => request),
		dayBudget: standing.dayBudget,
		setDayBudget(budget) {
			standing.setDayBudget(budget);
			free(() => true, { outcome: "answered", decision: "raise" });
		},
		changed: () => free(() => true, { outcome: "answered", decision: "raise" }),
		close: () => cancelDayCheck?.(),
	};
}

const usedUp = (used: number) =>
	new AppError("bad-request", `${used} are used already. Give a limit above that.`, { params: { reason: "limit-used-up", used } });

/** Resolves with the work, or with false when the signal aborts. */
async function orAborted(work: Promise<boolean>, signal: AbortSignal): Promise<boolean> {
	let onAbort: () => void = () => undefined;
	const aborted = new Promise<false>((resolve) => {
		onAbort = () => resolve(false);
	});
	signal.addEventListener("abort", onAbort, { once: true });
	const goesOn = await Promise.race([work, aborted]);
	signal.removeEventListener("abort", onAbort);
	return goesOn;
}

/** Only what a budget holds; without any limit there is none. */
export function toBudget(given: Budget | null): Budget | null {
	if (given === null || (given.tokens === undefined && given.cost === undefined)) return null;
	const { tokens, cost } = given;
	return { ...(tokens === undefined ? {} : { tokens }), ...(cost === undefined ? {} : { cost }) };
}
