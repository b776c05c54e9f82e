import type { Conversations } from "../../../core/conversations/conversations.ts";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { ConversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { CallResult } from "../api/bot-client.ts";
import type { ChatSessions } from "../chats/chat-sessions.ts";
import type { ChatThread } from "../chats/chat-thread.ts";
import type { SentPrompts } from "../chats/sent-prompts.ts";
import type { Buttons } from "../commands/buttons.ts";
import type { FormattedText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { Outbox } from "../outbox/outbox.ts";

/** What the parts of one chat's view share. */
export interface ViewContext {
	readonly thread: ChatThread;
	readonly conversationId: ConversationId;
	readonly conversations: Conversations;
	readonly outbox: Outbox;
	readonly buttons: Buttons;
	readonly prompts: SentPrompts;
	readonly sessions: ChatSessions;
	readonly sql: SqlDatabase;
	readonly clock: Clock;
	readonly logger: Logger;
	/** What the bot says in this chat, in its language of this moment. */
	words(): Messages;
	/** Markdown to entities, secrets taken out first. */
	render(markdown: string): FormattedText;
	redact(text: string): string;
	/** A page shows this conversation right now: nothing needs to ring. */
	isLooking(): boolean;
	typing(): Promise<CallResult<true>>;
}
