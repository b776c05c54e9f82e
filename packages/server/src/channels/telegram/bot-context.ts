import type { InlineKeyboardButton } from "grammy/types";
import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import type { ConversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { AgentRuntime } from "../../core/ports/agent-runtime.ts";
import type { Shell } from "../../core/ports/shell.ts";
import type { BotClient } from "./api/bot-client.ts";
import type { TranscriptionConfig } from "./api/transcriber.ts";
import type { ChatBindings } from "./chats/chat-bindings.ts";
import type { ChatThread } from "./chats/chat-thread.ts";
import type { LinkCodes } from "./chats/link-codes.ts";
import type { SentPrompts } from "./chats/sent-prompts.ts";
import type { Buttons } from "./commands/buttons.ts";
import type { FormattedText } from "./format/formatted-text.ts";
import type { Inbox } from "./inbox/inbox.ts";
import type { MessageBatcher } from "./inbox/message-batcher.ts";
import type { Messages } from "./messages/messages.ts";
import type { Outbox } from "./outbox/outbox.ts";

/** Stores a received file so that a prompt can carry it. */
export interface AttachmentSaver {
	save(file: { name: string; mimeType: string; bytes: Uint8Array }): Promise<{ id: string }>;
	/** Keeps a file for as long as the conversation, although no prompt carries it; says where the agent finds it. */
	keep(id: string, conversationId: ConversationId): { path: string };
}

/** What everything that reacts to a person shares. */
export interface BotContext {
	readonly conversations: Conversations;
	readonly runtime: Pick<AgentRuntime, "listModels" | "health">;
	readonly shell: Shell;
	readonly attachments: AttachmentSaver;
	readonly client: BotClient;
	readonly inbox: Inbox;
	readonly outbox: Outbox;
	readonly buttons: Buttons;
	readonly bindings: ChatBindings;
	readonly prompts: SentPrompts;
	readonly batcher: MessageBatcher;
	readonly links: LinkCodes;
	readonly clock: Clock;
	readonly logger: Logger;
	readonly bot: { id: number; username: string };
	readonly publicUrl: string | undefined;
	readonly transcription: TranscriptionConfig | undefined;
	/** What the bot says in this chat, in its language. */
	words(thread: ChatThread): Messages;
	/** The same for somebody whose chat is not known. */
	wordsFor(languageCode: string | undefined): Messages;
	/** Whether this person may still have things done; asked again after every wait. */
	mayAct(userId: number): boolean;
	/** The longest that the newest updates can have waited for us. */
	waitedMs(): number;
	/** A short message of the bot itself. */
	say(thread: ChatThread, text: string | FormattedText, options?: SayOptions): void;
	/** Work of one chat, in order; never waits for a turn. When too much waits, the person is told and `refused` is called instead. */
	inOrder(thread: ChatThread, work: () => Promise<void>, refused: () => void): void;
}

export interface SayOptions {
	replyTo?: number;
	keyboard?: InlineKeyboardButton[][];
	silent?: boolean;
	/** Tells nothing of any conversation: a chat that may not read gets it, too. */
	toAnyone?: true;
}
