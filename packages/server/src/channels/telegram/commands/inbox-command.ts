import type { InboxItem, InboxKind } from "@rightseat/protocol/model/inbox";
import type { InlineKeyboardButton } from "grammy/types";
import type { Inbox } from "../../../core/inbox/inbox.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { conversationId as toConversationId } from "../../../core/kernel/ids.ts";
import type { MessageContent } from "../api/bot-client.ts";
import { type ChatThread, threadKey } from "../chats/chat-thread.ts";
import type { Speaker } from "../chats/speaker.ts";
import type { Messages } from "../messages/messages.ts";
import type { LiveMessage } from "../outbox/live-message.ts";
import type { Outbox } from "../outbox/outbox.ts";
import { askerOf } from "../render/permission-text.ts";
import { oneLine } from "../render/status-text.ts";
import type { Buttons } from "./buttons.ts";
import type { ConversationSwitch } from "./conversation-switch.ts";

/** Items that one message lists; the rest is counted. */
const MAX_LISTED = 8;
const MAX_CHOICES = 6;
/** Lists that are kept up to date at once; an older one says how to get a new one. */
export const MAX_LIVE_LISTS = 20;
/** From then on it is history. */
export const LIST_LIVES_MS = 30 * 60_000;
/** Put off from a chat. */
export const LATER_MS = 3_600_000;

/** `/inbox`: what waits for this person, with buttons, for as long as it waits. */
export interface InboxCommand {
	show(thread: ChatThread): void;
	close(): void;
}

interface ShownList {
	thread: ChatThread;
	live: LiveMessage;
	/** What it says, to tell a change. */
	ids: string;
	end: Cancel;
}

/** One message per chat, edited whenever items come or go: a button that stays would be answered into the void. */
export function createInboxCommand(deps: {
	inbox: Pick<Inbox, "list" | "onChange">;
	switcher: Pick<ConversationSwitch, "mayShow">;
	buttons: Pick<Buttons, "make">;
	outbox: Pick<Outbox, "live">;
	speaker: Pick<Speaker, "words">;
	redact: (text: string) => string;
	clock: Clock;
}): InboxCommand {
	const { inbox, speaker, clock } = deps;
	const lists = new Map<string, ShownList>();

	/** Everybody in a group reads along, so that it is told only of what it showed before. */
	const itemsOf = (thread: ChatThread) =>
		inbox
			.list()
			.filter(({ conversationId: id }) => (id === null ? thread.chatId > 0 : deps.switcher.mayShow(thread, toConversationId(id))));
	const idsOf = (items: readonly InboxItem[]) => items.map(({ id }) => id).join(" ");

	function draw(thread: ChatThread, items: readonly InboxItem[]): MessageContent {
		const words = speaker.words(thread);
		if (items.length === 0) return { text: words.inboxEmpty, entities: [] };
		const shown = items.slice(0, MAX_LISTED);
		const lines = shown.map((item, index) => {
			const title = oneLine(item.title === "" ? words.newConversation : item.title, 60);
			const since = words.elapsed(Math.max(0, clock.now() - Date.parse(item.since)));
			return `${index + 1}. ${MARKS[item.kind]} ${title} · ${since}\n${oneLine(whyOf(item, words), 200)}${whoAsks(item, words, deps.redact)}`;
		});
		const more = items.length > shown.length ? [words.inboxMore(items.length - shown.length)] : [];
		const text = deps.redact([words.inboxTitle(items.length), ...lines, ...more].join("\n\n"));
		const keyboard = shown.flatMap((item, index) => rowsOf(thread, item, `${index + 1} · `, words));
		return { text, entities: [], keyboard };
	}

	function rowsOf({ chatId }: ChatThread, item: InboxItem, mark: string, words: Messages): InlineKeyboardButton[][] {
		const make = (text: string, action: Parameters<Buttons["make"]>[2]) => deps.buttons.make(chatId, `${mark}${oneLine(text, 40)}`, action);
		const { id: itemId, conversationId, question, permission, plan, budget, scheduleId } = item;
		const later = make(words.inboxLater, { kind: "inbox-later", itemId });
		const missed =
			scheduleId === undefined
				? []
				: [(["make-up", "skip"] as const).map((what) => make(words.scheduleButton(what), { kind: "schedule", scheduleId, what }))];
		if (conversationId === null) return [...missed, [make(words.inboxSeen, { kind: "inbox-seen", itemId }), later]];
		const open = make(words.inboxOpen, { kind: "inbox-open", conversationId });
		if (question !== undefined) {
			const { requestId, choices = [] } = question;
			const answers = choices.slice(0, MAX_CHOICES).map((answer) => [make(answer, { kind: "answer", conversationId, requestId, answer })]);
			return [...answers, [open, later]];
		}
		// What is longer than its summary is read whole before it is allowed: in the conversation.
		if (permission !== undefined && permission.detail === undefined && permission.summary.length <= 200) {
			const decide = { kind: "decide", conversationId, requestId: permission.requestId } as const;
			return [
				[make(words.allowOnce, { ...decide, decision: "approve-once" }), make(words.deny, { ...decide, decision: "reject" })],
				[open, later],
			];
		}
		if (budget !== undefined) {
			const decide = { kind: "budget", conversationId, requestId: budget.requestId } as const;
			const limit = budget.used + Math.max(budget.limit, 1);
			return [
				[make(words.budgetOnce, { ...decide, decision: "once" }), make(words.budgetStop, { ...decide, decision: "stop" })],
				[make(words.budgetRaise(limit), { ...decide, decision: "raise", limit })],
				[open, later],
			];
		}
		// Read whole before it is taken: in the conversation.
		if (permission !== undefined || plan !== undefined || item.kind === "form") return [[open, later]];
		return [...missed, [open, make(words.inboxSeen, { kind: "inbox-seen", itemId }), later]];
	}

	function retire(key: string): void {
		const list = lists.get(key);
		if (list === undefined) return;
		lists.delete(key);
		list.end();
		list.live.finish({ text: speaker.words(list.thread).inboxOld, entities: [] });
	}

	const offChange = inbox.onChange(() => {
		for (const list of lists.values()) {
			const items = itemsOf(list.thread);
			if (idsOf(items) === list.ids) continue;
			list.ids = idsOf(items);
			list.live.set(draw(list.thread, items), true);
		}
	});

	return {
		show(thread) {
			const key = threadKey(thread);
			retire(key);
			const [oldest] = lists.keys();
			if (lists.size >= MAX_LIVE_LISTS && oldest !== undefined) retire(oldest);
			const items = itemsOf(thread);
			const live = deps.outbox.live(thread, { silent: false, leftover: speaker.words(thread).inboxOld });
			live.set(draw(thread, items), true);
			lists.set(key, { thread, live, ids: idsOf(items), end: clock.after(LIST_LIVES_MS, () => retire(key)) });
		},
		close() {
			offChange();
			for (const { end } of lists.values()) end();
			lists.clear();
		},
	};
}

const MARKS: Readonly<Record<InboxKind, string>> = {
	question: "❓",
	permission: "🔐",
	plan: "🗺",
	budget: "💰",
	form: "📝",
	"login-needed": "🔑",
	failed: "⚠️",
	interrupted: "⏹",
	"queue-resting": "⏸",
	"schedule-missed": "🗓",
	finished: "✅",
};

function whoAsks({ permission }: InboxItem, words: Messages, redact: (text: string) => string): string {
	return permission?.agentName === undefined ? "" : `\n${words.subAgentAsks(askerOf(permission.agentName, redact))}`;
}

function whyOf({ why, code, params }: InboxItem, words: Messages): string {
	return code === undefined ? why : words.inboxWhy({ code, message: why, params });
}
