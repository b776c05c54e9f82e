import { type ActiveConversations, shownTurn } from "../active/active-conversations.ts";
import type { ConversationChanges } from "../active/conversation-changes.ts";
import type { ConversationRows } from "../active/conversation-rows.ts";
import type { Clock } from "../kernel/clock.ts";
import type { ConversationId } from "../kernel/ids.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Agents } from "../ports/agents.ts";
import type { Store } from "../ports/store.ts";
import type { Conversations } from "./conversations.ts";
import { exportConversation } from "./export-conversation.ts";
import { asWhole, type HtmlManner, htmlOf, MAX_WATCHED_BYTES, MAX_WATCHED_MESSAGES } from "./export-html.ts";

/** How soon the page of a guest asks again. */
const WATCH_SECONDS = { running: 2, resting: 10 };

/** A conversation for people who are not in it: a file, or a page to watch. */
export function createExports(deps: {
	store: Pick<Store, "messages">;
	active: Pick<ActiveConversations, "find">;
	rows: Pick<ConversationRows, "get">;
	changes: Pick<ConversationChanges, "view">;
	agents: Pick<Agents, "list">;
	clock: Pick<Clock, "now">;
	redactor: Pick<Redactor, "text" | "stream">;
}): Pick<Conversations, "export" | "watchPage"> {
	const { messages } = deps.store;
	const pageOf = (id: ConversationId, how: HtmlManner) => {
		const conversation = deps.changes.view(deps.rows.get(id));
		const agentName = deps.agents.list().find((agent) => agent.id === conversation.agent)?.name ?? conversation.agent;
		return { ...how, conversation, agentName, redactor: deps.redactor, now: deps.clock.now() };
	};
	return {
		export(id, format, how = { language: "en" }) {
			const page = { ...pageOf(id, how), messages: messages.iterate(id) };
			return format === "html" ? htmlOf(page) : exportConversation(page.conversation, page.messages, format);
		},
		watchPage(id, how) {
			const page = messages.page(id, { limit: MAX_WATCHED_MESSAGES, maxBytes: MAX_WATCHED_BYTES });
			const running = shownTurn(deps.active.find(id));
			const refreshSeconds = running === undefined ? WATCH_SECONDS.resting : WATCH_SECONDS.running;
			const live = { running, refreshSeconds, isCut: page.nextCursor !== undefined };
			return htmlOf({ ...pageOf(id, how), messages: asWhole(page.messages), live });
		},
	};
}
