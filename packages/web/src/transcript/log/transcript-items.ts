import type { ShownCommand } from "@rightseat/protocol/fold/conversation";
import type { AssistantMessage, Message, UserMessage } from "@rightseat/protocol/model/message";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import type { ConversationView } from "../../conversation/conversation-view.ts";
import type { OutboxItem } from "../../outbox/outbox.ts";

/** One row of the transcript. Keys stay the same when a running thing becomes a stored one, so that nothing is drawn anew. */
export type TranscriptItem =
	| { kind: "prompt"; key: string; message: UserMessage }
	| { kind: "shell"; key: string; message: UserMessage }
	| { kind: "answer"; key: string; message: AssistantMessage }
	| { kind: "turn"; key: string; turn: RunningTurn }
	| { kind: "command"; key: string; command: ShownCommand }
	| { kind: "outbox"; key: string; item: OutboxItem };

/** Rows of stored messages, in the order a person reads them. */
export function storedItems(messages: readonly Message[]): TranscriptItem[] {
	const steered = new Set<string>();
	const answers = new Map<string, AssistantMessage[]>();
	const known = new Set(messages.map((message) => message.id));
	for (const message of messages) {
		if (message.role !== "assistant") continue;
		for (const part of message.metadata.parts) if (part.kind === "steer") steered.add(part.messageId);
		const asked = message.metadata.inReplyTo;
		if (asked !== undefined && known.has(asked)) answers.set(asked, [...(answers.get(asked) ?? []), message]);
	}
	const items: TranscriptItem[] = [];
	for (const message of messages) {
		if (message.role === "assistant") {
			// An answer stands below its prompt, also when a command ended in between.
			if (!answers.get(message.metadata.inReplyTo ?? "")?.includes(message)) items.push(answerItem(message));
			continue;
		}
		if (!steered.has(message.id)) items.push(userItem(message));
		for (const answer of answers.get(message.id) ?? []) items.push(answerItem(answer));
	}
	return items;
}

/** Stored rows, then what runs now and what waits on this device. */
export function transcriptItems(
	stored: readonly TranscriptItem[],
	view: ConversationView,
	outbox: readonly OutboxItem[],
): TranscriptItem[] {
	const { turn } = view;
	const steered = new Set(turn?.parts.flatMap((part) => (part.kind === "steer" ? [part.messageId] : [])));
	const items = steered.size === 0 ? [...stored] : stored.filter((item) => item.kind !== "prompt" || !steered.has(item.message.id));
	if (turn !== undefined) {
		const asked = items.findIndex((item) => item.kind === "prompt" && item.message.id === turn.userMessageId);
		items.splice(asked < 0 ? items.length : asked + 1, 0, { kind: "turn", key: turn.messageId, turn });
	}
	for (const command of view.commands) items.push({ kind: "command", key: command.execId, command });
	const shown = sentIds(view);
	for (const item of outbox) {
		if (item.conversationId !== view.conversationId || shown.has(item.clientMessageId)) continue;
		if (item.messageId !== undefined && shown.has(item.messageId)) continue;
		items.push({ kind: "outbox", key: item.messageId ?? item.clientMessageId, item });
	}
	return items;
}

/**
 * Ids of what is on screen. Those of its sender are among them: the stored message comes before its confirmation, often in
 * another painted frame, and after a reload it is in the snapshot while the device still holds it as unconfirmed.
 */
function sentIds(view: ConversationView): Set<string> {
	const ids = new Set<string>();
	for (const { messageId, clientMessageId } of view.queue) {
		ids.add(messageId);
		if (clientMessageId !== undefined) ids.add(clientMessageId);
	}
	for (const message of view.messages) {
		ids.add(message.id);
		if (message.role === "user" && message.metadata.clientMessageId !== undefined) ids.add(message.metadata.clientMessageId);
	}
	for (const { clientMessageId } of view.commands) if (clientMessageId !== undefined) ids.add(clientMessageId);
	return ids;
}

function userItem(message: UserMessage): TranscriptItem {
	const { bash, execId } = message.metadata;
	return bash === true ? { kind: "shell", key: execId ?? message.id, message } : { kind: "prompt", key: message.id, message };
}

function answerItem(message: AssistantMessage): TranscriptItem {
	return { kind: "answer", key: message.id, message };
}
