import type { Conversations } from "../../../core/conversations/conversations.ts";
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
	conversations: Pick<Conversations, "queue" | "dropQueued" | "abort" | "killExec">;
	speaker: Speaker;
}): (thread: ChatThread) => string {
	const { conversations } = deps;
	return (thread) => {
		const words = deps.speaker.words(thread);
		const batched = deps.batcher.cancel(thread);
		for (const message of batched) deps.inbox.done(message.updateId);
		const shown = deps.bindings.find(thread);
		if (shown === undefined) return batched.length > 0 ? words.inputDropped : words.nothingRuns;
		const id = shown.entry.conversationId;
		// The queue goes first: an ended turn would take its next prompt up at once.
		const queued = conversations.queue(id);
		for (const item of queued) conversations.dropQueued(id, toMessageId(item.messageId));
		const isStopped = conversations.abort(id);
		const killed = shown.view.commands().filter((execId) => conversations.killExec(execId)).length;
		const done = [
			...(isStopped ? [words.stopped] : []),
			...(killed > 0 ? [words.commandsEnded(killed)] : []),
			...(queued.length > 0 ? [words.queueDropped(queued.length)] : []),
			...(batched.length > 0 ? [words.inputDropped] : []),
		];
		return done.length === 0 ? words.nothingRuns : done.join(" ");
	};
}
