import type { EventData } from "../events/event.ts";
import type { RunningTurn, TurnAsk } from "../model/turn.ts";
import { cutText } from "../text.ts";

/** Requests remembered per turn; a turn that asks more often than this forgets the oldest. */
export const MAX_TURN_ASKS = 200;
/** Of a request's text and of its answer, as the settled note shows them; the request itself is shown whole while it waits. */
export const MAX_ASK_CHARS = 1_000;
/** Of all plans of one turn; older ones keep their summary. Room for two of the longest. */
export const MAX_TURN_PLAN_CHARS = 65_536;

/** A limit that is reached. */
export function askBudget(turn: RunningTurn, { requestId, used, limit, scope, unit }: EventData<"copilot:budget_request">): RunningTurn {
	const reached = { used, limit, scope, unit };
	return ask(turn, requestId, { kind: "budget", text: `${used}/${limit} ${unit}`, reached });
}

/** The turn with one more request, in the place where it was asked. */
export function ask(
	turn: RunningTurn,
	requestId: string,
	asked: Pick<TurnAsk, "kind" | "text" | "reached" | "plan" | "form">,
): RunningTurn {
	const others = (turn.asks ?? []).filter((known) => known.requestId !== requestId);
	const request: TurnAsk = { requestId, ...asked, text: cutText(asked.text, MAX_ASK_CHARS), afterParts: turn.parts.length };
	return { ...turn, asks: boundPlans([...others, request].slice(-MAX_TURN_ASKS)) };
}

/** The newest plans that fit, at least one. */
function boundPlans(asks: TurnAsk[]): TurnAsk[] {
	let left = MAX_TURN_PLAN_CHARS;
	const bounded = asks.toReversed().map(({ plan, ...ask }) => {
		left -= plan?.length ?? 0;
		return plan === undefined || left < 0 ? ask : { ...ask, plan };
	});
	return bounded.reverse();
}

/** What came of a plan: the action that was taken, or the words with which it was sent back. */
export function settlePlan(turn: RunningTurn, data: EventData<"copilot:plan_resolved">): RunningTurn {
	const { requestId, approved, action, feedback, plan } = data;
	const settled = settle(turn, data, approved === true ? action : feedback);
	if (approved === undefined) return settled;
	const more = { approved, ...(plan === undefined ? {} : { plan }) };
	return {
		...settled,
		asks: boundPlans((settled.asks ?? []).map((known) => (known.requestId === requestId ? { ...known, ...more } : known))),
	};
}

/** The same request, with how it ended. */
export function settle(
	turn: RunningTurn,
	{ requestId, outcome, by }: Pick<EventData<"copilot:user_input_resolved">, "requestId" | "outcome" | "by">,
	answer: string | undefined,
): RunningTurn {
	const index = turn.asks?.findIndex((known) => known.requestId === requestId) ?? -1;
	const known = turn.asks?.[index];
	if (turn.asks === undefined || known === undefined) return turn;
	const settled: TurnAsk = {
		...known,
		outcome,
		...(answer === undefined ? {} : { answer: cutText(answer, MAX_ASK_CHARS) }),
		...(by === undefined ? {} : { by }),
	};
	return { ...turn, asks: turn.asks.with(index, settled) };
}
