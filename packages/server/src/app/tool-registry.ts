import type { ConversationId } from "../core/kernel/ids.ts";
import type { AgentTool } from "../core/ports/agent-tool.ts";

/** Tools that a channel adds to a conversation's own. Core is built before the channels, so it asks here at every session. */
export interface ToolRegistry {
	add(toolsOf: (id: ConversationId) => AgentTool[]): void;
	of(id: ConversationId): AgentTool[];
}

export function createToolRegistry(): ToolRegistry {
	const sources: ((id: ConversationId) => AgentTool[])[] = [];
	return {
		add: (toolsOf) => void sources.push(toolsOf),
		of: (id) => sources.flatMap((toolsOf) => toolsOf(id)),
	};
}
