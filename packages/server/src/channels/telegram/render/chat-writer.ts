import type { InlineKeyboardButton } from "grammy/types";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import { type ChatThread, threadKey } from "../chats/chat-thread.ts";
import type { ButtonAction, Buttons } from "../commands/buttons.ts";
import type { LiveMessage, LiveOptions } from "../outbox/live-message.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { Outgoing } from "../outbox/outbox-store.ts";
import type { OnSettled } from "../outbox/stored-sends.ts";

/** Writes about one conversation into one chat. */
export interface ChatWriter {
	/** A message that must arrive; the same key is sent once only in this chat. It goes with its conversation. */
	send(outgoing: Outgoing, options?: { key?: string; onSettled?: OnSettled | undefined }): void;
	/** A message that changes while something runs. */
	live(options: LiveOptions): LiveMessage;
	button(text: string, action: ButtonAction): InlineKeyboardButton;
	/** A page shows this conversation right now: nothing needs to ring. */
	isSilent(): boolean;
}

export function createChatWriter(deps: {
	thread: ChatThread;
	conversationId: ConversationId;
	outbox: Pick<Outbox, "send" | "live">;
	buttons: Pick<Buttons, "make">;
	isLooking: () => boolean;
}): ChatWriter {
	const { thread, conversationId, outbox } = deps;
	return {
		send: (outgoing, { key, onSettled } = {}) =>
			outbox.send(thread, outgoing, { key: key === undefined ? undefined : `${threadKey(thread)}:${key}`, onSettled, conversationId }),
		live: (options) => outbox.live(thread, options),
		button: (text, action) => deps.buttons.make(thread.chatId, text, action),
		isSilent: deps.isLooking,
	};
}
