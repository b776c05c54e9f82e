import type { InboxItem } from "@rightseat/protocol/model/inbox";
import type { Inbox } from "../../../core/inbox/inbox.ts";
import type { Cancel, Clock } from "../../../core/kernel/clock.ts";
import { type ConversationId, conversationId } from "../../../core/kernel/ids.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { Presence } from "../../../services/presence/presence.ts";
import type { AppSettings } from "../../../services/settings/settings.ts";
import type { PushNotices } from "./push-notices.ts";
import { newsOf, type PushPayload, settledNews } from "./push-payload.ts";
import type { PushSubscriptions } from "./push-subscriptions.ts";
import type { PushSender } from "./web-push-sender.ts";

/** A page that is reloaded, or a phone that changes its network, is back within this. */
export const LEFT_ALONE_MS = 10_000;

export interface PushNotifier {
	/** Takes up what an earlier process told; everybody who knows what waits must be there. */
	start(): void;
	close(): void;
}

/**
 * Tells subscribed browsers what came into the inbox, each item once, unless a page looks at its conversation or a chat rings for it; and takes it back when
 * it is settled. It compares what is there with what was told, so a restart changes nothing.
 */
export function createPushNotifier(deps: {
	inbox: Pick<Inbox, "list" | "onChange">;
	presence: Pick<Presence, "watched" | "onChange">;
	notices: PushNotices;
	subscriptions: Pick<PushSubscriptions, "list" | "remove">;
	sender: Pick<PushSender, "send">;
	settings: () => AppSettings;
	/** A chat shows this conversation and rings. */
	isRung(id: ConversationId): boolean;
	clock: Pick<Clock, "after">;
	logger: Logger;
}): PushNotifier {
	const { notices, subscriptions, logger } = deps;
	/** The newest of each conversation: what a slow push service did not get in time is not news any more. */
	const waiting = new Map<string, PushPayload>();
	let isSending = false;
	let later: Cancel | undefined;

	function compare(items: readonly InboxItem[]): void {
		const told = new Map(notices.list().map((notice) => [notice.itemId, notice]));
		for (const item of items) if (!told.delete(item.id)) tell(item, items.length);
		for (const { itemId, conversationId: id, isSent } of told.values()) {
			notices.remove(itemId);
			if (isSent) takeBack(settledNews(itemId, id, items.length));
		}
	}

	function tell(item: InboxItem, count: number): void {
		const id = item.conversationId === null ? undefined : conversationId(item.conversationId);
		// Told when they turn away from it without having settled it.
		if (id !== undefined && deps.presence.watched(id)) return;
		const isRung = id !== undefined && deps.isRung(id);
		const news = isRung || subscriptions.list().length === 0 ? undefined : newsOf(item, deps.settings(), count);
		notices.add({ itemId: item.id, conversationId: item.conversationId, isSent: news !== undefined });
		if (news !== undefined) enqueue(news);
	}

	function takeBack(news: PushPayload): void {
		const unsent = waiting.get(news.tag);
		if (unsent === undefined) enqueue(news);
		else if (unsent.item === news.item) waiting.delete(news.tag);
	}

	function enqueue(news: PushPayload): void {
		waiting.delete(news.tag);
		waiting.set(news.tag, news);
		if (!isSending) sendAll().catch((error: unknown) => logger.error({ err: error }, "Push notifications failed"));
	}

	async function sendAll(): Promise<void> {
		isSending = true;
		try {
			for (let next = waiting.values().next(); next.done !== true; next = waiting.values().next()) {
				const news = next.value;
				waiting.delete(news.tag);
				const text = JSON.stringify(news);
				await Promise.all(subscriptions.list().map((subscription) => send(subscription, text, news.tag)));
			}
		} finally {
			isSending = false;
		}
	}

	async function send(subscription: Parameters<PushSender["send"]>[0], text: string, tag: string): Promise<void> {
		try {
			if ((await deps.sender.send(subscription, text, tag)) === "gone") subscriptions.remove(subscription.endpoint);
		} catch (error) {
			logger.warn({ host: new URL(subscription.endpoint).host, err: error }, "A push notification could not be sent");
		}
	}

	const stops = [
		deps.inbox.onChange(({ items }) => compare(items)),
		deps.presence.onChange((_, isShown) => {
			if (isShown) return;
			later ??= deps.clock.after(LEFT_ALONE_MS, () => {
				later = undefined;
				compare(deps.inbox.list());
			});
		}),
	];
	return {
		start: () => compare(deps.inbox.list()),
		close() {
			for (const stop of stops) stop();
			later?.();
		},
	};
}
