import type { ConversationRows } from "../active/conversation-rows.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { HeldSessions } from "./held-sessions.ts";

/** Ends one sub-agent; its turn goes on. Rejects with `not-running` where that one does not work any more. */
export type StopSubAgent = (id: ConversationId, agentId: string) => Promise<void>;

export function createStopSubAgent(deps: { rows: Pick<ConversationRows, "getOpen">; held: Pick<HeldSessions, "find"> }): StopSubAgent {
	return async (id, agentId) => {
		const session = deps.held.find(deps.rows.getOpen(id).id)?.session;
		if ((await session?.stopAgent?.(agentId)) === true) return;
		throw new AppError("not-running", "This sub-agent is not working any more.", { params: { reason: "sub-agent" } });
	};
}
