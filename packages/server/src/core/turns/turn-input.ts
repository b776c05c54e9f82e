import type { UserMessage } from "@rightseat/protocol/model/message";
import { cutTextTail } from "@rightseat/protocol/text";
import type { Carried } from "../active/active-conversations.ts";
import type { UndoneNotes } from "../changes/undone-notes.ts";
import { toldResults } from "../commands/bash-context.ts";
import type { PendingBashContext } from "../commands/pending-bash-context.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Shell } from "../ports/shell.ts";
import type { MessageStore, Store } from "../ports/store.ts";
import { readCommand, type TypedInput } from "./expand-command.ts";

/** How much of an interrupted answer the next prompt quotes: the end of it. */
const MAX_QUOTED_CHARS = 4_000;

/** What the input of a steered prompt is made of. */
export interface SteerInputDeps {
	store: Pick<Store, "attachments">;
	redactor: Redactor;
	bashContext: Pick<PendingBashContext, "take">;
}
/** What the input of a turn is made of. */
export interface TurnInputDeps extends SteerInputDeps {
	store: Pick<Store, "attachments" | "messages">;
	shell: Pick<Shell, "finishedNotes">;
	undone: Pick<UndoneNotes, "list">;
}

/** The input, and what is given back if the model never got it. */
export interface TakenInput {
	input: TypedInput;
	carried: Carried;
}

/**
 * What the model gets for a prompt that begins a turn: what it does not know yet (how its last answer was cut off, what was undone, which background jobs ended), the results
 * of commands, the prompt. With nothing of that it is the prompt alone. Called inside the transaction that takes the prompt up: each is used exactly once.
 * The notes count as told when the turn is stored, not before: until then nobody knows whether the model got them.
 */
export function takeTurnInput(deps: TurnInputDeps, conversationId: ConversationId, message: UserMessage): TakenInput {
	const { task } = message.metadata;
	// What waits for the next prompt goes on waiting.
	if (task !== undefined) return { input: { prompt: "", displayPrompt: "", task }, carried: { contextIds: [], notes: [], undone: [] } };
	const notes = deps.shell.finishedNotes(conversationId);
	const quote = quoteInterrupted(deps.store.messages, conversationId);
	const undone = deps.undone.list(conversationId);
	const before = [...(quote === undefined ? [] : [quote]), ...undone.map(({ text }) => text), ...notes.map(({ text }) => text)];
	const { input, carried } = withContext(deps, conversationId, message, before);
	return { input, carried: { ...carried, notes, undone: undone.map(({ changeId }) => changeId) } };
}

/** What the model gets for a prompt that joins the running turn: results and prompt. Notes wait for a prompt that begins one. */
export function takeSteerInput(deps: SteerInputDeps, conversationId: ConversationId, message: UserMessage): TakenInput {
	return withContext(deps, conversationId, message, []);
}

function withContext(deps: SteerInputDeps, conversationId: ConversationId, message: UserMessage, before: string[]): TakenInput {
	const { contexts, ids } = deps.bashContext.take(conversationId);
	const attachments = (message.metadata.attachments ?? []).flatMap(({ id }) => {
		const row = deps.store.attachments.find(id);
		return row === undefined ? [] : [{ path: row.path, name: row.name, mimeType: row.mimeType }];
	});
	const command = readCommand(message.content);
	const known = [...before, ...toldResults(contexts)];
	const input = {
		...(command === undefined ? {} : { command: { ...command, before: known.join("\n\n") } }),
		prompt: deps.redactor.text([...known, message.content].join("\n\n").toWellFormed()),
		displayPrompt: message.content.toWellFormed(),
		...(attachments.length === 0 ? {} : { attachments }),
	};
	return { input, carried: { contextIds: ids, notes: [], undone: [] } };
}

/** The runtime forgets an answer that was cut off; the person still sees it, so the model is reminded of it. */
function quoteInterrupted(store: Pick<MessageStore, "page">, conversationId: ConversationId): string | undefined {
	const { messages } = store.page(conversationId, { limit: 20 });
	const tasks = new Set(messages.flatMap(({ id, metadata }) => ("task" in metadata && metadata.task !== undefined ? [id] : [])));
	const last = messages.findLast((message) => message.role === "assistant" && !tasks.has(message.metadata.inReplyTo ?? ""));
	if (last?.role !== "assistant" || last.metadata.outcome !== "interrupted" || last.content === "") return undefined;
	const shown = last.content.length > MAX_QUOTED_CHARS ? `…${cutTextTail(last.content, MAX_QUOTED_CHARS)}` : last.content;
	return `[Your previous answer was interrupted. It ended with:]\n${shown}`;
}
