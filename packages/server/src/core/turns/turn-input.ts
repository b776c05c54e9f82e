import type { UserMessage } from "@rightseat/protocol/model/message";
import type { CoreContext } from "../active/core-context.ts";
import { withBashContext } from "../commands/bash-context.ts";
import { takeBashContext } from "../commands/pending-bash-context.ts";
import { cutTextTail } from "../kernel/bounds.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { TurnInput } from "../ports/agent-runtime.ts";

/** How much of an interrupted answer the next prompt quotes: the end of it. */
export const MAX_QUOTED_CHARS = 4_000;

export interface TakenInput {
	input: TurnInput;
	/** The `!cmd` results that it carries. */
	contextIds: MessageId[];
}

/**
 * What the model gets for a prompt that begins a turn: what it does not know yet (how its last answer was cut off, which background jobs ended), the results
 * of commands, the prompt. With nothing of that it is the prompt alone. Called inside the transaction that takes the prompt up: each is used exactly once.
 */
export function takeTurnInput(core: CoreContext, conversationId: ConversationId, message: UserMessage): TakenInput {
	const notes = core.shell.finishedNotes(conversationId);
	// Only once they are stored with the prompt: a transaction that is rolled back has told nobody.
	if (notes.length > 0) core.store.afterCommit(() => core.shell.markNotesTold(conversationId, notes));
	const quote = quoteInterrupted(core, conversationId);
	return withContext(core, conversationId, message, [...(quote === undefined ? [] : [quote]), ...notes.map((note) => note.text)]);
}

/** What the model gets for a prompt that joins the running turn: results and prompt. Notes wait for a prompt that begins one. */
export function takeSteerInput(core: CoreContext, conversationId: ConversationId, message: UserMessage): TakenInput {
	return withContext(core, conversationId, message, []);
}

function withContext(core: CoreContext, conversationId: ConversationId, message: UserMessage, notes: string[]): TakenInput {
	const { contexts, ids } = takeBashContext(core, conversationId);
	const attachments = (message.metadata.attachments ?? []).flatMap(({ id }) => {
		const row = core.store.attachments.find(id);
		return row === undefined ? [] : [{ path: row.path, name: row.name, mimeType: row.mimeType }];
	});
	const input = {
		prompt: core.redactor.text([...notes, withBashContext(contexts, message.content)].join("\n\n").toWellFormed()),
		displayPrompt: message.content.toWellFormed(),
		...(attachments.length === 0 ? {} : { attachments }),
	};
	return { input, contextIds: ids };
}

/** The runtime forgets an answer that was cut off; the person still sees it, so the model is reminded of it. */
function quoteInterrupted(core: CoreContext, conversationId: ConversationId): string | undefined {
	const { messages } = core.store.messages.page(conversationId, { limit: 20 });
	const last = messages.findLast((message) => message.role === "assistant");
	if (last?.role !== "assistant" || last.metadata.outcome !== "interrupted" || last.content === "") return undefined;
	const shown = last.content.length > MAX_QUOTED_CHARS ? `…${cutTextTail(last.content, MAX_QUOTED_CHARS)}` : last.content;
	return `[Your previous answer was interrupted. It ended with:]\n${shown}`;
}
