import type { Clock } from "../../../core/clock.ts";
import type { Conversations } from "../../../core/conversations.ts";
import type { ConversationId } from "../../../core/ids.ts";
import type { Logger } from "../../../core/logger.ts";
import type { SqlDatabase } from "../../../core/ports/sql.ts";
import type { CallResult } from "../bot-client.ts";
import type { Buttons } from "../buttons.ts";
import type { ChatSessions } from "../chat-sessions.ts";
import type { FormattedText } from "../format/formatted-text.ts";
import type { Messages } from "../messages/messages.ts";
import type { Outbox } from "../outbox.ts";
import type { Place } from "../place.ts";
import type { SentPrompts } from "../sent-prompts.ts";

/** What the parts of one chat's view share. */
export interface ViewContext {
	readonly place: Place;
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
