import type { UserMessage } from "@rightseat/protocol/model/message";
import { cutTextTail } from "@rightseat/protocol/text";
import type { CoreContext } from "../active/core-context.ts";
import { withBashContext } from "../commands/bash-context.ts";
import { takeBashContext } from "../commands/pending-bash-context.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { TurnInput } from "../ports/agent-runtime.ts";
import type { FinishedNote } from "../ports/shell.ts";

/** How much of an interrupted answer the next prompt quotes: the end of it. */
const MAX_QUOTED_CHARS = 4_000;

export interface TakenInput extends Carried {
	input: TurnInput;
}

/** What a prompt carries that the model has not heard yet. A turn that fails before the model said anything gives it back. */
export interface Carried {
	/** Results of `!cmd`. */
	readonly contextIds: MessageId[];
	/** Ends of background jobs. */
	readonly notes: FinishedNote[];
}

/**
 * What the model gets for a prompt that begins a turn: what it does not know yet (how its last answer was cut off, which background jobs ended), the results
 * of commands, the prompt. With nothing of that it is the prompt alone. Called inside the transaction that takes the prompt up: each is used exactly once.
 * The notes count as told when the turn is stored, not before: until then nobody knows whether the model got them.
 */
export function takeTurnInput(core: CoreContext, conversationId: ConversationId, message: UserMessage): TakenInput {
	const notes = core.shell.finishedNotes(conversationId);
	const quote = quoteInterrupted(core, conversationId);
	return {
		...withContext(core, conversationId, message, [...(quote === undefined ? [] : [quote]), ...notes.map((note) => note.text)]),
		notes,
	};
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
	return { input, contextIds: ids, notes: [] };
}

/** The runtime forgets an answer that was cut off; the person still sees it, so the model is reminded of it. */
function quoteInterrupted(core: CoreContext, conversationId: ConversationId): string | undefined {
	const { messages } = core.store.messages.page(conversationId, { limit: 20 });
	const last = messages.findLast((message) => message.role === "assistant");
	if (last?.role !== "assistant" || last.metadata.outcome !== "interrupted" || last.content === "") return undefined;
	const shown = last.content.length > MAX_QUOTED_CHARS ? `…${cutTextTail(last.content, MAX_QUOTED_CHARS)}` : last.content;
	return `[Your previous answer was interrupted. It ended with:]\n${shown}`;
}
