import { INBOX_KINDS, type InboxItem } from "@rightseat/protocol/model/inbox";
import type { Doubts } from "../active/doubts.ts";
import type { Awaitable } from "../kernel/awaitable.ts";
import { type Clock, isoTime } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import type { ConversationId, MessageId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Redactor } from "../kernel/redact.ts";
import type { Store } from "../ports/store.ts";
import type { InboxReason, InboxSource } from "./inbox-source.ts";
import { createMarks, isHeld } from "./marks.ts";
import { createInboxNews, type InboxNews } from "./news.ts";
import { createOwnReasons, type ReasonDeps } from "./reasons.ts";

/** Items that are listed; what needs a person most is among them. */
export const MAX_INBOX_ITEMS = 500;
/** The longest that an item can be put off. */
export const MAX_SNOOZE_MS = 366 * 24 * 3_600_000;

/** An item that somebody wants to hear of later. */
export interface SnoozedItem extends InboxItem {
	until: string;
}

/** Everything that waits for a person or was not seen yet. Nothing has to be taken out of it: an item is there for as long as its reason is. */
export interface Inbox extends InboxNews {
	/** What needs a person most first, the oldest first within a kind. */
	list(): InboxItem[];
	/** What was put off, what comes back first first. */
	snoozed(): SnoozedItem[];
	/** A person has seen it: it goes, unless an agent waits for an answer. Throws `inbox-item-not-found`. */
	seen(id: string): void;
	/** Out of the list until then, in milliseconds since 1970. Throws `inbox-item-not-found` and `bad-request`. */
	snooze(id: string, until: number): void;
	/** Back into the list now. Throws `inbox-item-not-found`. */
	wake(id: string): void;
	/** Somebody has this conversation, or this answer of it, before their eyes. Never throws. */
	looked(conversationId: ConversationId, answer?: MessageId): void;
	addSource(source: InboxSource): void;
}

/** The inboxes of this host and of others, as channels see them: what another host may have to be asked for is awaited. */
export type EveryInbox = Omit<Inbox, "seen" | "snooze" | "wake"> & {
	[Call in "seen" | "snooze" | "wake"]: (...args: Parameters<Inbox[Call]>) => Awaitable<void>;
};

/** The list is made anew at every look; only what people said about items is kept. */
export function createInbox(
	deps: ReasonDeps & {
		store: Pick<Store, "inbox" | "messages" | "conversations" | "afterCommit" | "disk">;
		doubts: Pick<Doubts, "has">;
		clock: Clock;
		logger: Logger;
		redactor: Pick<Redactor, "value">;
	},
): Inbox {
	const { store, clock, logger } = deps;
	const own = createOwnReasons(deps);
	const marks = createMarks({ inbox: store.inbox, clock });
	const sources = new Map<InboxSource, () => void>();
	const list = () => marks.shown(reasons()).map(toItem);
	const ids = () => marks.shown(reasons()).map(({ id }) => id);
	const news = createInboxNews({ list, ids, compared: (gone) => marks.forget(gone, reasons), nextWake: marks.nextWake, clock, logger });
	const { refresh } = news;

	function reasons(): InboxReason[] {
		const all = [...own.list(MAX_INBOX_ITEMS), ...[...sources.keys()].flatMap((source) => source.list())];
		return all.filter(isSure).toSorted(byNeed).slice(0, MAX_INBOX_ITEMS);
	}

	/** After a failed sync what belongs to no conversation may not be stored either. */
	function isSure({ conversationId: id }: InboxReason): boolean {
		return id === null ? !store.disk.hasFailed() : !deps.doubts.has(id);
	}

	function toItem({ id, kind, conversationId, title, why, code, params, since, ...asked }: InboxReason): InboxItem {
		const { question, permission, plan, budget, form, scheduleId } = asked;
		const known = title ?? (conversationId === null ? undefined : store.conversations.find(conversationId)?.title);
		return deps.redactor.value({
			...{ id, kind, conversationId, title: known ?? "", why },
			...(code === undefined ? {} : { code, params }),
			since: isoTime(since),
			...(question === undefined ? {} : { question }),
			...(permission === undefined ? {} : { permission }),
			...(plan === undefined ? {} : { plan }),
			...(budget === undefined ? {} : { budget }),
			...(form === undefined ? {} : { form }),
			...(scheduleId === undefined ? {} : { scheduleId }),
		});
	}

	function getReason(id: string): InboxReason {
		const found = reasons().find((reason) => reason.id === id);
		if (found === undefined) throw new AppError("inbox-item-not-found", "This waits no longer: it was settled, or somebody has seen it.");
		return found;
	}

	return {
		...news,
		list,
		snoozed: () => marks.snoozed(reasons()).map(({ reason, until }) => ({ ...toItem(reason), until: isoTime(until) })),
		seen(id) {
			const { kind, conversationId } = getReason(id);
			if (isHeld(kind)) return;
			const end = conversationId === null ? undefined : store.inbox.findEnd(conversationId);
			if (end !== undefined && id === `${kind}-${end.messageId}`) store.inbox.clearEnd(end.conversationId);
			else marks.set({ itemId: id, seen: true, snoozedUntil: 0 });
			store.afterCommit(refresh);
		},
		snooze(id, until) {
			getReason(id);
			const now = clock.now();
			if (!(until > now && until <= now + MAX_SNOOZE_MS)) throw badTime();
			marks.set({ itemId: id, seen: false, snoozedUntil: until });
			store.afterCommit(refresh);
		},
		wake(id) {
			getReason(id);
			marks.remove(id);
			store.afterCommit(refresh);
		},
		looked(id, answer) {
			try {
				const end = store.inbox.findEnd(id);
				if (end === undefined || (answer !== undefined && answer !== end.messageId)) return;
				const agent = store.conversations.find(id)?.agent;
				if (agent === undefined || own.kindOf({ ...end, agent }) === "login-needed") return;
				store.inbox.clearEnd(id);
				store.afterCommit(refresh);
			} catch (error) {
				// A look is not worth an error on the screen that looks.
				logger.warn({ err: error, conversationId: id }, "That somebody has looked could not be stored");
			}
		},
		addSource(source) {
			sources.set(source, source.onChange(refresh));
			refresh();
		},
		close() {
			news.close();
			for (const off of sources.values()) off();
			sources.clear();
		},
	};
}

function byNeed(a: InboxReason, b: InboxReason): number {
	return INBOX_KINDS.indexOf(a.kind) - INBOX_KINDS.indexOf(b.kind) || a.since - b.since;
}

const badTime = () =>
	new AppError("bad-request", "Say until when, as a time that is still to come and at most a year away.", {
		params: { reason: "snooze-until" },
	});
