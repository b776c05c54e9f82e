import type { ActiveConversations } from "../active/active-conversations.ts";
import type { Asks } from "../asks/pending-requests.ts";
import type { PermissionManager } from "../asks/permission-manager.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { OpenSession } from "../ports/agent-runtime.ts";
import type { AgentTool } from "../ports/agent-tool.ts";
import type { Shell } from "../ports/shell.ts";

/** What the agent may call while it works in a conversation: its tools, and the people it asks. */
export type AgentCallbacks = (conversationId: ConversationId, cwd: string) => Pick<OpenSession, "tools" | "ask" | "permit">;

/** Nothing that a tool returns or asks reaches the agent unredacted. */
export function createAgentCallbacks(deps: {
	shell: Pick<Shell, "tools">;
	/** Tools beside the shell's. */
	extraTools(conversationId: ConversationId): AgentTool[];
	redactor: Redactor;
	asks: Pick<Asks, "question">;
	permissions: Pick<PermissionManager, "decide">;
	active: Pick<ActiveConversations, "find">;
}): AgentCallbacks {
	/** What a tool finds goes to the model's provider: none of our secrets does. */
	function withoutSecrets(tool: AgentTool): AgentTool {
		return { ...tool, run: async (args, call) => deps.redactor.value(await tool.run(args, call)) };
	}
	/** A question ends with its turn, even where the runtime gives no signal of its own. */
	function turnSignal(conversationId: ConversationId, signal: AbortSignal): AbortSignal {
		const turn = deps.active.find(conversationId)?.turn;
		return turn === undefined ? signal : AbortSignal.any([signal, turn.signal]);
	}
	return (conversationId, cwd) => ({
		tools: [...deps.shell.tools(conversationId, cwd), ...deps.extraTools(conversationId)].map(withoutSecrets),
		ask: (question, signal) => deps.asks.question(conversationId, question, turnSignal(conversationId, signal)),
		permit: (request, signal) => deps.permissions.decide(conversationId, request, turnSignal(conversationId, signal)),
	});
}
