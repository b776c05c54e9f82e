import type { InlineKeyboardButton } from "grammy/types";
import { type FormattedText, plainText } from "../format/formatted-text.ts";
import type { Languages } from "../messages/languages.ts";
import type { Messages } from "../messages/messages.ts";
import { errorText } from "../messages/spoken-error.ts";
import type { Outbox } from "../outbox/outbox.ts";
import type { ChatThread } from "./chat-thread.ts";

export interface SayOptions {
	replyTo?: number;
	keyboard?: InlineKeyboardButton[][];
	silent?: boolean;
	/** Tells nothing of any conversation: a chat that may not read gets it, too. */
	toAnyone?: true;
	/** With it the person has this answer before their eyes. */
	shows?: { conversationId: string; messageId: string } | undefined;
}

/** The bot's own words, in the language of the chat. */
export interface Speaker {
	/** A short message of the bot itself, secrets taken out. */
	say(thread: ChatThread, text: string | FormattedText, options?: SayOptions): void;
	sayError(thread: ChatThread, error: unknown, options?: SayOptions): void;
	words(thread: ChatThread): Messages;
}

export function createSpeaker(deps: {
	outbox: Pick<Outbox, "send">;
	languages: Pick<Languages, "words">;
	redact: (text: string) => string;
}): Speaker {
	function words({ chatId }: ChatThread): Messages {
		return deps.languages.words(chatId);
	}
	function say(thread: ChatThread, text: string | FormattedText, options: SayOptions = {}): void {
		const content = typeof text === "string" ? plainText(deps.redact(text)) : text;
		deps.outbox.send(thread, { kind: "text", text: content.text.slice(0, 4096).toWellFormed(), entities: content.entities, ...options });
	}
	return { say, words, sayError: (thread, error, options) => say(thread, `⚠️ ${errorText(words(thread), error)}`, options) };
}
