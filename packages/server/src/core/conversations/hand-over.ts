import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId, IdSource } from "../kernel/ids.ts";
import type { Agents } from "../ports/agents.ts";
import type { HandedOver } from "../ports/listed-sessions.ts";
import { requireAgent } from "../turns/require-agent.ts";
import type { Sessions } from "../turns/sessions.ts";

/** Copies a conversation's session to where another program of its agent goes on with it. Rejects with an AppError. */
export function createHandOver(deps: {
	rows: Pick<ConversationRows, "getOpen">;
	active: Pick<ActiveConversations, "find">;
	agents: Pick<Agents, "find">;
	sessions: Pick<Sessions, "release">;
	ids: IdSource;
}): (id: ConversationId) => Promise<HandedOver> {
	return async function handOver(id) {
		const { agent, sdkSessionId, cwd } = deps.rows.getOpen(id);
		const runtime = requireAgent(deps.agents, agent);
		if (runtime.handOver === undefined) throw cannot(agent);
		if (deps.active.find(id)?.turn !== undefined) throw stillAnswering();
		if (sdkSessionId === null) throw nothingSaid();
		// What the agent has not written down yet would be missing there.
		await deps.sessions.release(id);
		return runtime.handOver({ sessionId: sdkSessionId, newSessionId: deps.ids.next(), cwd });
	};
}

const cannot = (agent: string) =>
	new AppError("bad-request", "Only conversations with Copilot can go on in the Copilot CLI.", {
		params: { reason: "not-handed-over", agent },
	});
const stillAnswering = () =>
	new AppError("bad-request", "The agent is still answering. Wait or stop it, then try again.", {
		retryable: true,
		params: { reason: "still-answering" },
	});
const nothingSaid = () =>
	new AppError("bad-request", "Nothing was said in this conversation yet, so there is nothing to go on with.", {
		params: { reason: "nothing-said" },
	});
