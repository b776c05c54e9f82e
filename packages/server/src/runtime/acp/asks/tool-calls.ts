import type { OpenSession, PermitDecision } from "../../../core/ports/agent-runtime.ts";
import type { HostedCall, IncomingCall } from "../mcp/tool-server.ts";
import type { Card } from "../turn/cards.ts";
import type { Turn } from "../turn/turn.ts";
import { type Approvals, toPermitRequest } from "./permissions.ts";

/** Ties a call of our MCP server to the running turn: its card, its permission, its output and its end. */
export function createToolCallHost(deps: { turn(): Turn | undefined; permit: OpenSession["permit"]; approvals: Approvals }) {
	return async function onCall(call: IncomingCall): Promise<HostedCall | undefined> {
		const turn = deps.turn();
		const toolCallId = await turn?.begin(call);
		if (turn === undefined || toolCallId === undefined) return undefined;
		return {
			toolCallId,
			signal: turn.signal,
			permit: (signal) => turn.waitWhile(decide(cardOf(call, toolCallId), signal)),
			output: (text) => turn.output(toolCallId, text.toWellFormed()),
			ended: (result) => turn.returned(toolCallId, result),
		};
	};

	/** An approval of the agent's own request for this very call is used once; otherwise the call is asked for here. */
	async function decide(card: Card, signal: AbortSignal): Promise<PermitDecision> {
		const call = { toolName: card.toolName, input: card.input };
		if (deps.approvals.take(call)) return { kind: "approve-once" };
		const request = toPermitRequest(card);
		const known = deps.approvals.recall(request);
		if (known !== undefined) return known;
		const decision = await deps.permit(request, signal);
		deps.approvals.remember(request, decision);
		return decision;
	}
}

/** The call as it came: what is asked for is what runs, also when the card says something else. */
const cardOf = ({ toolName, arguments: input }: IncomingCall, toolCallId: string): Card => ({
	...{ toolCallId, toolName, title: undefined, ours: toolName, kind: undefined, input },
	...{ isShown: true, isCalled: true, isEnded: false, shown: "", collected: "", diffs: new Map() },
});
