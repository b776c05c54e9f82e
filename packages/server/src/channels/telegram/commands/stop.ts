import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { messageId as toMessageId } from "../../../core/kernel/ids.ts";
import type { ChatBindings } from "../chats/chat-bindings.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Inbox } from "../inbox/inbox.ts";
import type { MessageBatcher } from "../inbox/message-batcher.ts";

/** Stops everything in a chat's conversation: what still waits to be batched, the queue, the turn, commands. Says what was done. */
export function createStop(deps: {
	batcher: Pick<MessageBatcher, "cancel">;
	inbox: Pick<Inbox, "done">;
	bindings: Pick<ChatBindings, "find">;
	conversations: Pick<EveryConversations, "queue" | "dropQueued" | "abort" | "killExec">;
	speaker: Speaker;
}): (thread: ChatThread) => Promise<string> {
	const { conversations } = deps;
	return async (thread) => {
		const words = deps.speaker.words(thread);
		const batched = deps.batcher.cancel(thread);
		if (batched.length > 0) deps.inbox.done(...batched.map(({ updateId }) => updateId));
		const shown = deps.bindings.find(thread);
		if (shown === undefined) return batched.length > 0 ? words.inputDropped : words.nothingRuns;
		const id = shown.entry.conversationId;
		// The queue goes first: an ended turn would take its next prompt up at once.
		const waiting = conversations.queue(id);
		const queued = waiting instanceof Promise ? await waiting : waiting;
		const dropped = queued.map((item) => conversations.dropQueued(id, toMessageId(item.messageId)));
		// On another host they must be gone before the turn ends there.
		if (dropped.some((each) => each instanceof Promise)) await Promise.all(dropped);
		const stopping = conversations.abort(id);
		const killing = shown.view.commands().map((execId) => conversations.killExec(execId, id));
		const isStopped = stopping instanceof Promise ? await stopping : stopping;
		const killed = (await Promise.all(killing)).filter((isKilled) => isKilled).length;
		const done = [
			...(isStopped ? [words.stopped] : []),
			...(killed > 0 ? [words.commandsEnded(killed)] : []),
			...(queued.length > 0 ? [words.queueDropped(queued.length)] : []),
			...(batched.length > 0 ? [words.inputDropped] : []),
		];
		return done.length === 0 ? words.nothingRuns : done.join(" ");
	};
}
