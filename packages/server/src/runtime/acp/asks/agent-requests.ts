import type { Logger } from "../../../core/kernel/logger.ts";
import type { OpenSession, PermitDecision, PermitRequest } from "../../../core/ports/agent-runtime.ts";
import { fieldsOf } from "../fields.ts";
import { METHOD_NOT_FOUND, RequestRefused } from "../peer/peer.ts";
import type { Card } from "../turn/cards.ts";
import type { Turn } from "../turn/turn.ts";
import { readToolReport } from "../turn/updates.ts";
import { type Approvals, readPermissionOptions, toOutcome, toPermitRequest, WITHDRAWN } from "./permissions.ts";
import { answerElicitation, questionsIn } from "./questions.ts";

export interface AgentRequestsDeps {
	/** The running turn; undefined while none runs. */
	turn(): Turn | undefined;
	/** The session that the agent has opened for us. */
	sessionId(): string | undefined;
	ask: OpenSession["ask"];
	permit: OpenSession["permit"];
	approvals: Approvals;
	/** A request for a permission came while no turn ran, and was refused. */
	onRefused(what: string): void;
	/** Questions come as permission requests. */
	asksByPermission: boolean;
	logger: Logger;
}

/** What an agent calls a command or an edit of its own is never left to anybody else. */
const isHarmless = ({ kind, diffs }: Card) => (kind === undefined || kind === "other") && diffs.size === 0;

const INVALID_PARAMS = -32_602;

/** What an agent asks of us: permissions and questions go to a person, everything else is refused at once. */
export function createAgentRequests(deps: AgentRequestsDeps) {
	/** Ends at once when the turn is stopped or the agent takes its request back, whatever the person does. */
	async function whileAsked<T>(turn: Turn, withdrawn: AbortSignal, ask: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
		const signal = AbortSignal.any([turn.signal, withdrawn]);
		if (signal.aborted) return undefined;
		const over = new Promise<undefined>((resolve) => signal.addEventListener("abort", () => resolve(undefined), { once: true }));
		const asked = ask(signal);
		// Nobody waits for it any more when the turn is over.
		asked.catch((error: unknown) => deps.logger.warn({ err: error }, "A request of an agent failed"));
		return turn.waitWhile(Promise.race([asked, over]));
	}

	async function decide(card: Card, signal: AbortSignal): Promise<PermitDecision> {
		const request: PermitRequest = toPermitRequest(card);
		const known = deps.approvals.recall(request);
		if (known !== undefined) return known;
		const decision = await deps.permit(request, signal);
		deps.approvals.remember(request, decision);
		return decision;
	}

	async function permission(params: Record<string, unknown>, withdrawn: AbortSignal): Promise<object> {
		const options = readPermissionOptions(params.options);
		const report = readToolReport(params.toolCall);
		const turn = deps.turn();
		if (turn === undefined || report === undefined) {
			deps.onRefused(report?.title ?? report?.name ?? "something");
			return toOutcome(options, false);
		}
		const questions = deps.asksByPermission ? questionsIn(report.input) : undefined;
		const card = turn.show(report);
		if (card === undefined) return WITHDRAWN;
		if (questions !== undefined) {
			const answers: Record<string, string> = {};
			for (const [index, question] of questions.entries()) {
				const answer = await whileAsked(turn, withdrawn, (signal) => deps.ask(question, signal));
				if (answer === undefined) return WITHDRAWN;
				if (answer.isUnanswered === true) return toOutcome(options, false);
				answers[String(index)] = answer.answer;
			}
			return { ...toOutcome(options, true), answers };
		}
		// Gemini does not say what it would run. Nothing is granted with this: the call itself comes to us, and is asked for with its input.
		if (card.ours !== undefined && card.input === undefined && isHarmless(card)) return toOutcome(options, true);
		const decision = await whileAsked(turn, withdrawn, (signal) => decide(card, signal));
		if (decision === undefined) return WITHDRAWN;
		const isAllowed = decision.kind !== "reject";
		if (isAllowed && card.ours !== undefined) deps.approvals.grant({ toolName: card.ours, input: card.input });
		return toOutcome(options, isAllowed);
	}

	async function elicitation(params: Record<string, unknown>, withdrawn: AbortSignal): Promise<object> {
		const turn = deps.turn();
		if (turn === undefined) return { action: "cancel" };
		const answer = await whileAsked(turn, withdrawn, (signal) => answerElicitation(params, deps.ask, signal));
		return answer ?? { action: "cancel" };
	}

	return async function onRequest(method: string, raw: unknown, withdrawn: AbortSignal): Promise<unknown> {
		const params = fieldsOf(raw);
		if (method !== "session/request_permission" && method !== "elicitation/create") {
			throw new RequestRefused(METHOD_NOT_FOUND, `Method not found: ${method.slice(0, 200)}`);
		}
		if (params.sessionId !== deps.sessionId()) throw new RequestRefused(INVALID_PARAMS, "No such session.");
		return method === "elicitation/create" ? elicitation(params, withdrawn) : permission(params, withdrawn);
	};
}
