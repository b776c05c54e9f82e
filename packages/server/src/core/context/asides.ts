import { MAX_ASIDE_ANSWER_CHARS, MAX_ASIDE_CHARS } from "@rightseat/protocol/limits";
import { cutText } from "@rightseat/protocol/text";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { fingerprint } from "../kernel/fingerprint.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Agents } from "../ports/agents.ts";
import type { HeldSessions } from "../turns/held-sessions.ts";
import type { Sessions } from "../turns/sessions.ts";
import type { Budgets } from "../usage/budgets.ts";
import { cannot } from "./cannot.ts";

/** Side questions of one conversation that wait for their answers. */
export const MAX_ASIDES = 4;
/** A model that takes longer is not waited for. */
const ASIDE_WAIT_MS = 120_000;
/** Questions whose answer is given again under the same id, and for how long. */
export const MAX_REMEMBERED_ASIDES = 50;
export const REMEMBERED_ASIDE_MS = 600_000;

/** A question beside the conversation. */
export interface AsideRequest {
	question: string;
	/** Asked again under it, the model is asked once. */
	requestId?: string | undefined;
}
/** Asks the model of a conversation something that leaves no trace there, also while a turn runs. Rejects with an AppError. */
export type AskAside = (id: ConversationId, request: AsideRequest) => Promise<string>;

/** What side questions touch. */
export interface AsidesDeps {
	rows: Pick<ConversationRows, "getOpen">;
	agents: Pick<Agents, "find" | "list">;
	held: Pick<HeldSessions, "find" | "touch">;
	sessions: Pick<Sessions, "open">;
	budgets: Pick<Budgets, "isFree">;
	redactor: Redactor;
	clock: Clock;
}

/** Answers are kept in memory only, for whoever did not hear them. */
export function createAsides(deps: AsidesDeps): AskAside {
	const waiting = new Map<ConversationId, number>();
	const remembered = new Map<string, { hash: string; at: number; answer: Promise<string> }>();

	async function ask(id: ConversationId, question: string): Promise<string> {
		const row = deps.rows.getOpen(id);
		if (deps.agents.find(row.agent)?.capabilities().asides !== true) throw cannot(deps.agents, row.agent, "aside");
		// The session of a running turn is held, and asked while it works.
		const session = deps.held.find(id)?.session ?? (await deps.sessions.open(id));
		deps.held.touch(id);
		const answer = await session.askAside?.(question, ASIDE_WAIT_MS);
		if (answer === undefined) throw cannot(deps.agents, row.agent, "aside");
		return cutText(deps.redactor.text(answer), MAX_ASIDE_ANSWER_CHARS);
	}

	async function counted(id: ConversationId, question: string): Promise<string> {
		const before = waiting.get(id) ?? 0;
		if (before >= MAX_ASIDES) throw tooMany();
		waiting.set(id, before + 1);
		try {
			return await ask(id, question);
		} finally {
			const left = (waiting.get(id) ?? 1) - 1;
			if (left === 0) waiting.delete(id);
			else waiting.set(id, left);
		}
	}

	function remember(key: string, hash: string, answer: Promise<string>): Promise<string> {
		remembered.set(key, { hash, at: deps.clock.elapsed(), answer });
		const [oldest] = remembered.keys();
		if (remembered.size > MAX_REMEMBERED_ASIDES && oldest !== undefined) remembered.delete(oldest);
		// One that failed may be asked again.
		answer.catch(() => {
			if (remembered.get(key)?.answer === answer) remembered.delete(key);
		});
		return answer;
	}

	return async (id, request) => {
		const question = deps.redactor.text(request.question).toWellFormed();
		checkQuestion(question);
		deps.rows.getOpen(id);
		const { requestId } = request;
		const [key, hash] = [`${id} ${requestId}`, fingerprint(question)];
		for (const [each, { at }] of remembered) if (deps.clock.elapsed() - at > REMEMBERED_ASIDE_MS) remembered.delete(each);
		const known = requestId === undefined ? undefined : remembered.get(key);
		if (known !== undefined && known.hash !== hash) throw new AppError("id-reused", "This id was used for another question.");
		if (known !== undefined) return known.answer;
		if (!deps.budgets.isFree(id)) throw overBudget();
		const answer = counted(id, question);
		return requestId === undefined ? answer : remember(key, hash, answer);
	};
}

function checkQuestion(question: string): void {
	if (question.trim() === "") throw new AppError("empty-prompt", "The message is empty. Type something first.");
	const { length: chars } = question;
	if (chars <= MAX_ASIDE_CHARS) return;
	throw new AppError("too-large", `This question has ${chars} characters; at most ${MAX_ASIDE_CHARS} fit.`, {
		params: { reason: "message", chars, max: MAX_ASIDE_CHARS },
	});
}

const tooMany = () =>
	new AppError("rate-limited", `${MAX_ASIDES} side questions wait here for an answer already. Ask again in a moment.`, {
		retryable: true,
		params: { reason: "asides", max: MAX_ASIDES },
	});
const overBudget = () =>
	new AppError("rate-limited", "A limit of tokens or cost is reached, and a side question would use more. Raise the limit first.", {
		params: { reason: "budget" },
	});
