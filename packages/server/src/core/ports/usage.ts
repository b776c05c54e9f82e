import type { UsageKey } from "@rightseat/protocol/http/usage";
import type { ConversationId } from "../kernel/ids.ts";

/** What one call of a model, or one turn of an agent, has used. */
export interface UsedTokens {
	/** Of the server's clock, as `2026-11-17`. */
	day: string;
	conversationId: ConversationId;
	agent: string;
	/** Empty: not told. */
	model: string;
	inputTokens: number;
	outputTokens: number;
	/** Undefined: not told. */
	cost: number | undefined;
}

/** What is used of a limit: tokens in and out together. */
export interface Spent {
	tokens: number;
	cost: number;
}

/** What was used under one key; `cost` is undefined where nobody told one. */
export interface UsedRow {
	key: string;
	inputTokens: number;
	outputTokens: number;
	cost: number | undefined;
}

/** Which days, both included, and what the rows stand for. */
export interface UsageRange {
	from?: string | undefined;
	to?: string | undefined;
	by: UsageKey;
	conversationId?: ConversationId | undefined;
}

/** Sums of what was used: a row per day, conversation, agent and model. They outlive the conversation. */
export interface UsageStore {
	/** Inside the transaction that stores what tells of it, so that it is counted exactly as often as that is stored. */
	add(used: UsedTokens): void;
	ofDay(day: string): Spent;
	ofConversation(id: ConversationId): Spent;
	/** Days in their order, everything else with the most tokens first. */
	list(range: UsageRange): UsedRow[];
	/**
	 * Keeps the sums within `maxRows`: of the oldest days before `today` the conversations are joined, and where that is not enough their models. What a
	 * day used, and by which agent, stays.
	 */
	join(maxRows: number, today: string): void;
}
