import type { ActiveConversations } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Store } from "../ports/store.ts";
import type { Conversations } from "./conversations.ts";
import { exportConversation } from "./export-conversation.ts";
import { asWhole, htmlOf, MAX_WATCHED_BYTES, MAX_WATCHED_MESSAGES } from "./export-html.ts";

/** How soon the page of a guest asks again. */
const WATCH_SECONDS = { running: 2, resting: 10 };

/** A conversation for people who are not in it: a file, or a page to watch. */
export function createExports(deps: {
	store: Pick<Store, "messages">;
	active: Pick<ActiveConversations, "find">;
	rows: Pick<ConversationRows, "get">;
	changes: Pick<ConversationChanges, "view">;
	redactor: Pick<Redactor, "text">;
}): Pick<Conversations, "export" | "watchPage"> {
	const { messages } = deps.store;
	const redact = deps.redactor.text;
	return {
		export(id, format, language = "en") {
			const conversation = deps.changes.view(deps.rows.get(id));
			const all = messages.iterate(id);
			return format === "html" ? htmlOf({ conversation, messages: all, language, redact }) : exportConversation(conversation, all, format);
		},
		watchPage(id, language) {
			const conversation = deps.changes.view(deps.rows.get(id));
			const page = messages.page(id, { limit: MAX_WATCHED_MESSAGES, maxBytes: MAX_WATCHED_BYTES });
			const running = deps.active.find(id)?.turn?.shown;
			const refreshSeconds = running === undefined ? WATCH_SECONDS.resting : WATCH_SECONDS.running;
			return htmlOf({ conversation, messages: asWhole(page.messages), language, redact, running, refreshSeconds });
		},
	};
}
