import { messageId as toMessageId } from "../../core/ids.ts";
import type { BotContext } from "./bot-context.ts";
import type { Place } from "./place.ts";

/** Stops everything in this chat's conversation: what still waits to be joined, the queue, the turn, commands. Says what was done. */
export function stopWork(context: BotContext, place: Place): string {
	const buffered = context.intake.cancel(place);
	for (const message of buffered) context.inbox.done(message.updateId);
	const desk = context.desks.find(place);
	if (desk === undefined) return buffered.length > 0 ? "Dropped what you were sending." : "Nothing is running.";
	const id = desk.entry.conversationId;
	// The queue goes first: an ended turn would take its next prompt up at once.
	const queued = context.conversations.queue(id);
	for (const item of queued) context.conversations.dropQueued(id, toMessageId(item.messageId));
	const isStopped = context.conversations.abort(id);
	const killed = desk.view.commands().filter((execId) => context.conversations.killExec(execId)).length;
	const done = [
		...(isStopped ? ["Stopped."] : []),
		...(killed > 0 ? [`${count(killed, "command")} ended.`] : []),
		...(queued.length > 0 ? [`${count(queued.length, "queued message")} dropped.`] : []),
		...(buffered.length > 0 ? ["Dropped what you were sending."] : []),
	];
	return done.length === 0 ? "Nothing is running." : done.join(" ");
}

const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
