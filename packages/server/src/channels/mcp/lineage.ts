import type { Clock } from "../../core/kernel/clock.ts";
import { type ConversationId, conversationId } from "../../core/kernel/ids.ts";
import type { SqlDatabase, SqlRow } from "../../core/ports/sql.ts";
import { refuse } from "./refusal.ts";

/** Of one origin, and of one token whatever its origins, in an hour: an agent that runs wild is stopped before the evening. */
export const MAX_CONVERSATIONS_PER_HOUR = 20;
export const MAX_PROMPTS_PER_HOUR = 60;
/** And in a day. */
export const MAX_PROMPTS_PER_DAY = 300;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Where a conversation that a program started comes from. */
export interface Descent {
	/** Who started it: the owner of the token. */
	owner: string;
	/** Where the chain began: a token, or the conversation whose agent called. */
	origin: string;
	/** 1: started from outside or by the agent of a person's conversation; 2: by the agent of such a one. */
	depth: number;
}

/** What is counted. */
export type SpentKind = "conversation" | "prompt";

/** Which conversations programs started, how deep, and what each origin has spent. On disk: a restart forgets no bound. */
export interface Lineage {
	find(id: ConversationId): Descent | undefined;
	add(id: ConversationId, descent: Descent): void;
	forget(id: ConversationId): void;
	/** Those of one owner, newest first. */
	listOf(owner: string, page: { limit: number; cursor?: number }): { ids: ConversationId[]; nextCursor?: number };
	/** Counts one more of each kind against each origin; throws, and counts nothing, when one has none left. */
	spend(kinds: readonly SpentKind[], origins: readonly string[]): void;
}

export function createLineage({ sql, clock }: { sql: SqlDatabase; clock: Clock }): Lineage {
	function count(kind: string, origin: string, withinMs: number): number {
		const row = sql
			.prepare("SELECT COUNT(*) AS n FROM mcp_spent WHERE origin = ? AND kind = ? AND at > ?")
			.get(origin, kind, clock.now() - withinMs);
		return Number(row?.n ?? 0);
	}
	function check(kind: SpentKind, origin: string) {
		if (kind === "conversation" && count(kind, origin, HOUR_MS) >= MAX_CONVERSATIONS_PER_HOUR)
			refuse(
				"rate-limited",
				`${MAX_CONVERSATIONS_PER_HOUR} conversations were started within an hour, which is the limit. Go on with one of them.`,
			);
		if (kind === "prompt" && count(kind, origin, HOUR_MS) >= MAX_PROMPTS_PER_HOUR)
			refuse(
				"rate-limited",
				`${MAX_PROMPTS_PER_HOUR} prompts were sent within an hour, which is the limit. Try again later, or ask a person.`,
			);
		if (kind === "prompt" && count(kind, origin, DAY_MS) >= MAX_PROMPTS_PER_DAY)
			refuse("rate-limited", `${MAX_PROMPTS_PER_DAY} prompts were sent within a day, which is the limit. Ask a person to go on.`);
	}

	return {
		find(id) {
			const row = sql.prepare("SELECT owner, origin, depth FROM mcp_conversations WHERE conversation_id = ?").get(id);
			return row === undefined ? undefined : descentOf(row);
		},
		add(id, { owner, origin, depth }) {
			sql
				.prepare("INSERT OR REPLACE INTO mcp_conversations (conversation_id, owner, origin, depth) VALUES (?, ?, ?, ?)")
				.run(id, owner, origin, depth);
		},
		forget: (id) => void sql.prepare("DELETE FROM mcp_conversations WHERE conversation_id = ?").run(id),
		listOf(owner, { limit, cursor = Number.MAX_SAFE_INTEGER }) {
			const rows = sql
				.prepare("SELECT n, conversation_id FROM mcp_conversations WHERE owner = ? AND n < ? ORDER BY n DESC LIMIT ?")
				.all(owner, cursor, limit + 1);
			const shown = rows.slice(0, limit);
			const last = shown.at(-1);
			return {
				ids: shown.map((row) => conversationId(String(row.conversation_id))),
				...(rows.length > limit && last !== undefined ? { nextCursor: Number(last.n) } : {}),
			};
		},
		spend(kinds, origins) {
			const each = [...new Set(origins)].flatMap((origin) => kinds.map((kind) => ({ origin, kind })));
			sql.transaction(() => {
				sql.prepare("DELETE FROM mcp_spent WHERE at <= ?").run(clock.now() - DAY_MS);
				for (const { origin, kind } of each) check(kind, origin);
				const insert = sql.prepare("INSERT INTO mcp_spent (origin, kind, at) VALUES (?, ?, ?)");
				for (const { origin, kind } of each) insert.run(origin, kind, clock.now());
			});
		},
	};
}

const descentOf = (row: SqlRow): Descent => ({ owner: String(row.owner), origin: String(row.origin), depth: Number(row.depth) });
