import type { Agents } from "../../../core/ports/agents.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import { textColumn } from "../../../core/ports/sql-row.ts";
import { type ChatThread, threadKey } from "./chat-thread.ts";

/** Which agent the new conversations of a chat begin with, over restarts. */
export interface ChatAgents {
	/** What a new conversation is created with: nothing where nobody chose, or where the chosen one is not there any more. */
	forNew(thread: ChatThread): { agent?: string };
	choose(thread: ChatThread, agent: string): void;
}

/** Chats whose choice is kept; the others begin with the server's agent. */
export const MAX_CHOICES = 1_000;

export function createChatAgents(sql: SqlDatabase, agents: Pick<Agents, "find">): ChatAgents {
	const keyOf = (thread: ChatThread) => `agent:${threadKey(thread)}`;
	return {
		forNew(thread) {
			const row = sql.prepare("SELECT value FROM telegram_state WHERE key = ?").get(keyOf(thread));
			const agent = row === undefined ? undefined : textColumn(row, "value");
			return agent === undefined || agents.find(agent) === undefined ? {} : { agent };
		},
		choose(thread, agent) {
			sql.prepare("INSERT OR REPLACE INTO telegram_state (key, value) VALUES (?, ?)").run(keyOf(thread), agent);
			sql
				.prepare(
					"DELETE FROM telegram_state WHERE key IN (SELECT key FROM telegram_state WHERE key LIKE 'agent:%' AND key <> ? LIMIT -1 OFFSET ?)",
				)
				.run(keyOf(thread), MAX_CHOICES - 1);
		},
	};
}
