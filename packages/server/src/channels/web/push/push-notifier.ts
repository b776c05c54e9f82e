import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Params } from "@rightseat/protocol/model/params";
import { cutText } from "@rightseat/protocol/text";
import type { ConversationChange } from "../../../core/active/conversation-changes.ts";
import type { EveryConversations } from "../../../core/conversations/conversations.ts";
import { type Awaitable, after } from "../../../core/kernel/awaitable.ts";
import { conversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Presence } from "../../../services/presence/presence.ts";
import type { AppSettings } from "../../../services/settings/settings.ts";
import type { PushSubscriptions } from "./push-subscriptions.ts";
import type { PushSender } from "./web-push-sender.ts";

const MAX_BODY_CHARS = 200;
/** Conversations whose last state is remembered, to tell a change from a repetition. */
const MAX_REMEMBERED = 500;

/** What the page's service worker gets. It says `code` and `params` in the person's language; `body` is for a worker that does not know the code. */
export interface PushPayload {
	title: string;
	body: string;
	code: PushCode;
	/** `question`: the words of the agent, which are in no language of ours. */
	params?: Params | undefined;
	tag: string;
	conversationId: string;
	path: string;
}

type PushCode = "turn-completed" | "turn-failed" | "question" | "question-waiting";
type News = Pick<PushPayload, "code" | "body" | "params">;

/** Tells subscribed browsers when a turn ends or asks, unless a page is looking at that conversation. */
export function createPushNotifier(deps: {
	conversations: Pick<EveryConversations, "pending">;
	presence: Presence;
	subscriptions: PushSubscriptions;
	sender: PushSender;
	settings: () => AppSettings;
	logger: Logger;
}): { onChange(change: ConversationChange): void } {
	const last = new Map<string, { streaming: boolean; asking: boolean }>();

	function remember(conversation: Conversation) {
		const before = last.get(conversation.id);
		last.delete(conversation.id);
		last.set(conversation.id, { streaming: conversation.status === "streaming", asking: conversation.asking });
		const oldest = last.keys().next();
		if (last.size > MAX_REMEMBERED && oldest.done !== true) last.delete(oldest.value);
		return before ?? { streaming: false, asking: false };
	}

	async function send(payload: PushPayload) {
		const text = JSON.stringify(payload);
		for (const subscription of deps.subscriptions.list()) {
			try {
				if ((await deps.sender.send(subscription, text)) === "gone") deps.subscriptions.remove(subscription.endpoint);
			} catch (error) {
				deps.logger.warn({ host: new URL(subscription.endpoint).host, err: error }, "A push notification could not be sent");
			}
		}
	}

	function newsOf(conversation: Conversation, before: { streaming: boolean; asking: boolean }): Awaitable<News | undefined> {
		const settings = deps.settings();
		if (conversation.asking && !before.asking) return settings.notifyQuestion ? questionOf(conversation) : undefined;
		if (!before.streaming || conversation.status === "streaming" || !settings.notifyTurnEnd) return undefined;
		return conversation.status === "error"
			? { code: "turn-failed", body: "The answer failed." }
			: { code: "turn-completed", body: "The answer is ready." };
	}

	function questionOf(conversation: Conversation): Awaitable<News> {
		return after(deps.conversations.pending(conversationId(conversation.id)), ({ questions, permissions }) => {
			const asked = questions[0]?.question ?? permissions[0]?.summary;
			if (asked === undefined) return { code: "question-waiting", body: "A question waits for you." };
			const question = cutText(asked.replace(/\s+/g, " "), MAX_BODY_CHARS);
			return { code: "question", body: question, params: { question } };
		});
	}

	async function tell(conversation: Conversation, news: News | undefined): Promise<void> {
		if (news === undefined || deps.presence.watched(conversationId(conversation.id))) return;
		const title = conversation.title === "" ? "Rightseat" : cutText(conversation.title, MAX_BODY_CHARS);
		const path = `/c/${conversation.id}`;
		await send({ title, ...news, tag: conversation.id, conversationId: conversation.id, path });
	}

	return {
		onChange(change) {
			if (change.kind === "deleted") return void last.delete(change.id);
			const { conversation } = change;
			const told = after(newsOf(conversation, remember(conversation)), (news) => tell(conversation, news));
			Promise.resolve(told).catch((error: unknown) => deps.logger.error({ err: error }, "Push notifications failed"));
		},
	};
}
