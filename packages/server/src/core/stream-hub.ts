import type { ConversationId, Epoch, Seq } from "./ids.ts";

/** A reader of one or more conversations: a socket, a Telegram chat, a test. Its methods must not throw. */
export interface Subscriber {
	/** One event, committed; `frame` is the JSON text of the whole frame, the same string for every subscriber. */
	event(frame: string, position: { conversationId: ConversationId; epoch: Epoch; seq: Seq }): void;
	/** A frame for this subscriber only: the first `stream-status`, a `snapshot`. */
	reply(frame: string): void;
}

export interface Subscription {
	close(): void;
}
