import { messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { BotContext } from "../bot-context.ts";
import type { Place } from "../chats/chat-thread.ts";

/** Stops everything in this chat's conversation: what still waits to be joined, the queue, the turn, commands. Says what was done. */
export function stopWork(context: BotContext, place: Place): string {
	const words = context.words(place);
	const buffered = context.intake.cancel(place);
	for (const message of buffered) context.inbox.done(message.updateId);
	const desk = context.desks.find(place);
	if (desk === undefined) return buffered.length > 0 ? words.inputDropped : words.nothingRuns;
	const id = desk.entry.conversationId;
	// The queue goes first: an ended turn would take its next prompt up at once.
	const queued = context.conversations.queue(id);
	for (const item of queued) context.conversations.dropQueued(id, toMessageId(item.messageId));
	const isStopped = context.conversations.abort(id);
	const killed = desk.view.commands().filter((execId) => context.conversations.killExec(execId)).length;
	const done = [
		...(isStopped ? [words.stopped] : []),
		...(killed > 0 ? [words.commandsEnded(killed)] : []),
		...(queued.length > 0 ? [words.queueDropped(queued.length)] : []),
		...(buffered.length > 0 ? [words.inputDropped] : []),
	];
	return done.length === 0 ? words.nothingRuns : done.join(" ");
}
