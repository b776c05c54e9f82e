import type { AssistantMetadata, UserMetadata } from "@rightseat/protocol/model/message";
import type { Clock } from "../kernel/clock.ts";
import { type ConversationId, type IdSource, messageId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Agents } from "../ports/agents.ts";
import type { SaidBefore } from "../ports/listed-sessions.ts";
import type { ConversationRow, Store } from "../ports/store.ts";
import type { Sessions } from "../turns/sessions.ts";
import { sessionNotFound } from "./agent-sessions.ts";

/** Brings a session that another program began into a conversation, with what was said there. */
export interface TakeOver {
	/** Sessions of this agent have to be brought here before they can be opened. */
	isNeeded(agent: string): boolean;
	/**
	 * Brings and opens it, and gives the conversation as it is then; nobody sees it before. A session that the agent cannot go on with is told now, and not by
	 * an agent that knows nothing. Rejects with an AppError, and then the conversation is gone.
	 */
	open(row: ConversationRow): Promise<ConversationRow>;
}

/** Messages that are stored before others may work again. */
const STORED_AT_ONCE = 20;

export function createTakeOver(deps: {
	store: Pick<Store, "conversations" | "messages" | "durable">;
	agents: Pick<Agents, "find">;
	redactor: Redactor;
	clock: Clock;
	ids: IdSource;
	logger: Logger;
	sessions: Pick<Sessions, "open" | "release">;
}): TakeOver {
	const { store, clock } = deps;
	const isNeeded = (agent: string) => deps.agents.find(agent)?.takeSession !== undefined;

	async function storeSaid(id: ConversationId, messages: SaidBefore["messages"]): Promise<void> {
		let prompt: string | undefined;
		for (const [index, { role, text, at, mark }] of messages.entries()) {
			const content = deps.redactor.text(text);
			const metadata = role === "user" ? PROMPT : answerOf(content, { partId: deps.ids.next(), prompt });
			const stored = store.messages.addMessage(id, { role, content, metadata, ...(at === undefined ? {} : { createdAt: at }) });
			if (mark !== undefined) store.messages.setMark(id, messageId(stored.id), mark);
			prompt = role === "user" ? stored.id : undefined;
			if ((index + 1) % STORED_AT_ONCE === 0) await new Promise<void>((resolve) => clock.soon(resolve));
		}
	}

	async function take(row: ConversationRow): Promise<ConversationRow> {
		const { id, agent, sdkSessionId } = row;
		const runtime = deps.agents.find(agent);
		if (runtime?.takeSession === undefined || sdkSessionId === null) return row;
		// Stored first: after a crash somebody knows of what is brought now.
		await store.durable();
		const { messages, isCut } = await runtime.takeSession(sdkSessionId);
		await storeSaid(id, messages);
		const taken = { isForming: false, isContinued: isCut || messages.length === 0 };
		store.conversations.update(id, taken);
		return { ...row, ...taken };
	}

	async function undo({ id, agent, sdkSessionId }: ConversationRow): Promise<void> {
		await deps.sessions.release(id);
		try {
			if (isNeeded(agent) && sdkSessionId !== null) await deps.agents.find(agent)?.deleteSession(sdkSessionId);
		} catch (error) {
			deps.logger.warn({ err: error, conversationId: id }, "The copy of a session could not be removed");
		}
		store.conversations.delete(id);
	}

	return {
		isNeeded,
		async open(row) {
			try {
				const taken = await take(row);
				const { opened } = await deps.sessions.open(row.id);
				if (opened !== "resumed") throw sessionNotFound(row.agent);
				return taken;
			} catch (error) {
				await undo(row);
				throw error;
			}
		},
	};
}

/** The agent has it in its history: a fork is cut by it. Of no channel of ours, so it names none that people would be told. */
const PROMPT: UserMetadata = { origin: "web", delivery: "taken" };

/** An answer of another program as one of ours: what it called besides is not known here. */
const answerOf = (content: string, { partId, prompt }: { partId: string; prompt: string | undefined }): AssistantMetadata => ({
	outcome: "completed",
	tools: [],
	parts: [{ kind: "text", messageId: partId, content }],
	...(prompt === undefined ? {} : { inReplyTo: prompt }),
});
