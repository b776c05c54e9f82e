import type { UserMessage } from "@rightseat/protocol/entities";
import { contextOf, withBashContext } from "./bash-context.ts";
import type { CoreContext } from "./core-context.ts";
import { type ConversationId, type MessageId, messageId as toMessageId } from "./ids.ts";
import type { TurnInput } from "./ports/agent-runtime.ts";
import { announceUpdate } from "./user-messages.ts";

/** How much of an interrupted answer the next prompt quotes: the end of it. */
export const MAX_QUOTED_CHARS = 4_000;

/** What the model gets for one prompt. Called inside the transaction that takes the prompt up: the context is used exactly once. */
export function takeTurnInput(
	core: CoreContext,
	conversationId: ConversationId,
	message: UserMessage,
): { input: TurnInput; contextIds: MessageId[] } {
	const pending = core.store.messages.pendingContext(conversationId);
	for (const result of pending) {
		core.store.messages.update(conversationId, toMessageId(result.id), { metadata: { ...result.metadata, context: "used" } });
		announceUpdate(core, conversationId, toMessageId(result.id));
	}
	if (pending.length > 0) core.log.append(conversationId, { type: "bash:context", data: { items: [] } });
	const notes = core.shell.finishedNotes(conversationId);
	// Only once they are stored with the prompt: a transaction that is rolled back has told nobody.
	if (notes.length > 0) core.store.afterCommit(() => core.shell.markNotesTold(conversationId, notes));
	const quote = quoteInterrupted(core, conversationId);
	const prompt = withBashContext(pending.map(contextOf), message.content);
	const attachments = (message.metadata.attachments ?? []).flatMap(({ id }) => {
		const row = core.store.attachments.find(id);
		return row === undefined ? [] : [{ path: row.path, name: row.name, mimeType: row.mimeType }];
	});
	return {
		input: {
			prompt: core.redactor.text(
				[...(quote === undefined ? [] : [quote]), ...notes.map((note) => note.text), prompt].join("\n\n").toWellFormed(),
			),
			displayPrompt: message.content.toWellFormed(),
			...(attachments.length === 0 ? {} : { attachments }),
		},
		contextIds: pending.map(({ id }) => toMessageId(id)),
	};
}

/** The runtime forgets an answer that was cut off; the person still sees it, so the model is reminded of it. */
function quoteInterrupted(core: CoreContext, conversationId: ConversationId): string | undefined {
	const { messages } = core.store.messages.page(conversationId, { limit: 20 });
	const last = messages.findLast((message) => message.role === "assistant");
	if (last?.role !== "assistant" || last.metadata.outcome !== "interrupted" || last.content === "") return undefined;
	const shown = last.content.length > MAX_QUOTED_CHARS ? `…${last.content.slice(-MAX_QUOTED_CHARS)}` : last.content;
	return `[Your previous answer was interrupted. It ended with:]\n${shown}`;
}
