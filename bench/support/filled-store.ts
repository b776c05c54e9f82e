import { join } from "node:path";
import type { AssistantMetadata, UserMetadata } from "@rightseat/protocol/model/message";
import { systemClock } from "../../packages/server/src/core/kernel/clock.ts";
import { type ConversationId, conversationId, epoch, randomIds, seq } from "../../packages/server/src/core/kernel/ids.ts";
import { silentLogger } from "../../packages/server/src/core/kernel/logger.ts";
import { type OpenedStore, openStore } from "../../packages/server/src/store/open-store.ts";
import { sentence } from "./words.ts";

export const openBenchStore = (home: string): OpenedStore =>
	openStore({ path: join(home, "rightseat.db"), clock: systemClock, logger: silentLogger, ids: randomIds });

export function addConversation({ store }: OpenedStore, title: string, at = Date.now()): ConversationId {
	const id = conversationId(randomIds.next());
	store.conversations.insert({
		...{
			id,
			title,
			titleFixed: true,
			model: "scripted-model",
			cwd: "/",
			agent: "copilot",
			mode: "agent",
			effort: "",
			agentProfile: "",
			sdkSessionId: null,
			isContinued: false,
			...{ forkedFrom: null, forkedAt: null, forkKey: null, untoldFrom: null, isForming: false, mcp: {} },
			pinned: false,
			archived: false,
		},
		...{
			permissions: "auto",
			budget: null,
			status: "completed",
			epoch: epoch(randomIds.next()),
			headSeq: seq(0),
			createdAt: at,
			updatedAt: at,
		},
	});
	return id;
}

const BATCH = 2_000;

/** Fills a conversation by the store's own way of adding messages, so that the index is what it would be. */
export function addMessages(
	{ store }: OpenedStore,
	id: ConversationId,
	count: number,
	content: (index: number) => string = sentence,
): void {
	for (let begin = 0; begin < count; begin += BATCH)
		store.transaction(() => {
			for (let index = begin; index < Math.min(count, begin + BATCH); index += 1) {
				const isAnswer = index % 2 === 1;
				const text = content(index);
				store.messages.addMessage(id, { role: isAnswer ? "assistant" : "user", content: text, metadata: isAnswer ? answer(text) : PROMPT });
			}
		});
}

const PROMPT: UserMetadata = { origin: "web" };
const answer = (content: string): AssistantMetadata => ({
	outcome: "completed",
	tools: [],
	parts: [{ kind: "text", messageId: "m1", content }],
});
