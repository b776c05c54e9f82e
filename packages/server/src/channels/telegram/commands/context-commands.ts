import type { ContextPicture } from "@rightseat/protocol/http/context";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import { plainText } from "../format/formatted-text.ts";
import { splitText } from "../format/split-text.ts";
import type { Messages } from "../messages/messages.ts";

/** Messages that one answer to a side question takes; the rest is cut. */
const MAX_PARTS = 4;

/** `/context`, `/compact` and `/aside`. */
export interface ContextCommands {
	show(thread: ChatThread): Promise<void>;
	/** The turn is told like any other; the same id twice is one turn. Rejects with an AppError. */
	compact(thread: ChatThread, from: string, clientMessageId: string): Promise<void>;
	/** Nothing waits for the answer: it comes when the model has given it. */
	ask(thread: ChatThread, question: string, replyTo: number): Promise<void>;
}

export function createContextCommands(deps: {
	conversations: Pick<EveryConversations, "lookAtContext" | "compact" | "askAside">;
	bindings: { ensure(thread: ChatThread): Promise<{ entry: { conversationId: ConversationId } }> };
	speaker: Pick<Speaker, "words" | "say" | "sayError">;
}): ContextCommands {
	const { conversations, speaker } = deps;
	const idOf = async (thread: ChatThread) => (await deps.bindings.ensure(thread)).entry.conversationId;

	async function answer(thread: ChatThread, question: string, replyTo: number): Promise<void> {
		try {
			const said = await conversations.askAside(await idOf(thread), { question });
			const text = `${speaker.words(thread).asideAnswer}\n\n${said}`;
			for (const part of splitText(plainText(text), undefined, MAX_PARTS)) speaker.say(thread, part, { replyTo });
		} catch (error) {
			speaker.sayError(thread, error, { replyTo });
		}
	}

	return {
		async show(thread) {
			speaker.say(thread, linesOf(await conversations.lookAtContext(await idOf(thread)), speaker.words(thread)).join("\n"));
		},
		async compact(thread, from, clientMessageId) {
			await conversations.compact(await idOf(thread), { origin: "telegram", from, clientMessageId });
		},
		async ask(thread, question, replyTo) {
			if (question === "") speaker.say(thread, speaker.words(thread).asideUsage, { replyTo });
			else void answer(thread, question, replyTo);
		},
	};
}

function linesOf({ tokens, limit, categories, asOf }: ContextPicture, words: Messages): string[] {
	if (tokens === null) return [words.contextUnknown];
	const count = (number: number) => number.toLocaleString("en");
	const total = limit === null ? words.contextUsedOnly(count(tokens)) : words.contextUsed(count(tokens), count(limit));
	return [
		total,
		...categories.map(({ kind, tokens: each }) => `• ${words.contextKind(kind)}: ${count(each)}`),
		...(asOf === undefined ? [] : [words.contextThen]),
	];
}
