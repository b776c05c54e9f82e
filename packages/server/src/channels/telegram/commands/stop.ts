import { messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { BotContext } from "../bot-context.ts";
import type { ChatThread } from "../chats/chat-thread.ts";

/** Stops everything in this chat's conversation: what still waits to be joined, the queue, the turn, commands. Says what was done. */
export function stopAll(context: BotContext, thread: ChatThread): string {
	const words = context.words(thread);
	const buffered = context.batcher.cancel(thread);
	for (const message of buffered) context.inbox.done(message.updateId);
	const binding = context.bindings.find(thread);
	if (binding === undefined) return buffered.length > 0 ? words.inputDropped : words.nothingRuns;
	const id = binding.entry.conversationId;
	// The queue goes first: an ended turn would take its next prompt up at once.
	const queued = context.conversations.queue(id);
	for (const item of queued) context.conversations.dropQueued(id, toMessageId(item.messageId));
	const isStopped = context.conversations.abort(id);
	const killed = binding.view.commands().filter((execId) => context.conversations.killExec(execId)).length;
	const done = [
		...(isStopped ? [words.stopped] : []),
		...(killed > 0 ? [words.commandsEnded(killed)] : []),
		...(queued.length > 0 ? [words.queueDropped(queued.length)] : []),
		...(buffered.length > 0 ? [words.inputDropped] : []),
	];
	return done.length === 0 ? words.nothingRuns : done.join(" ");
}
