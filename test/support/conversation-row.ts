import { type ConversationId, epoch, seq } from "../../packages/server/src/core/kernel/ids.ts";
import type { ConversationRow } from "../../packages/server/src/core/ports/store.ts";

/** A conversation as the store keeps it, for tests. */
export function conversationRow(id: ConversationId, fields: Partial<ConversationRow> = {}): ConversationRow {
	return {
		id,
		title: "A conversation",
		titleFixed: false,
		agent: "copilot",
		mode: "agent",
		effort: "",
		agentProfile: "",
		model: "model-1",
		cwd: "/home/someone",
		sdkSessionId: null,
		isContinued: false,
		forkedFrom: null,
		forkedAt: null,
		forkKey: null,
		untoldFrom: null,
		isForming: false,
		pinned: false,
		archived: false,
		permissions: "auto",
		mcp: {},
		budget: null,
		status: "idle",
		epoch: epoch("epoch-1"),
		headSeq: seq(0),
		createdAt: 1_000,
		updatedAt: 1_000,
		...fields,
	};
}
