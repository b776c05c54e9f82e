import type { EventData } from "../events/event.ts";
import type { MessageChanges, UndoneChange } from "../model/change.ts";
import type { Message } from "../model/message.ts";

/** What a message says about a change; of a change without a message there is nothing to say. */
export function changesOf(data: EventData<"copilot:changes">): MessageChanges {
	const { changeId, files, added, removed, notCovered } = data;
	return { changeId, files, added, removed, ...(notCovered === undefined ? {} : { notCovered }) };
}

/** The messages after a change: its own has it from now on, and those that it took back or brought back are marked. */
export function foldChanges(messages: readonly Message[], data: EventData<"copilot:changes">): readonly Message[] {
	const { messageId, kind, undoes = [] } = data;
	const isOwn = (message: Message) => (kind === "turn" || kind === "command") && message.id === messageId;
	let next = messages;
	for (const [index, message] of messages.entries()) {
		const marked = markUndone(isOwn(message) ? withChanges(message, changesOf(data)) : message, undoes);
		if (marked !== message) next = next.with(index, marked);
	}
	return next;
}

/** The message with the mark that it has from now on; the same object when nothing changes. */
export function markUndone(message: Message, undoes: readonly UndoneChange[]): Message {
	const { changes } = message.metadata;
	const mark = changes === undefined ? undefined : undoes.findLast(({ changeId }) => changeId === changes.changeId);
	if (changes === undefined || mark === undefined || mark.undone === (changes.undone === true)) return message;
	const { undone: _, ...rest } = changes;
	return withChanges(message, mark.undone ? { ...rest, undone: true } : rest);
}

function withChanges(message: Message, changes: MessageChanges): Message {
	return message.role === "user"
		? { ...message, metadata: { ...message.metadata, changes } }
		: { ...message, metadata: { ...message.metadata, changes } };
}
