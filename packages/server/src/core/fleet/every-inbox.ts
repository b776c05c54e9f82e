import { splitRemoteId, splitRemoteThing } from "@rightseat/protocol/fleet/ids";
import { INBOX_KINDS, type InboxItem } from "@rightseat/protocol/model/inbox";
import { type EveryInbox, type Inbox, MAX_INBOX_ITEMS } from "../inbox/inbox.ts";
import { createInboxNews } from "../inbox/news.ts";
import type { Clock } from "../kernel/clock.ts";
import { AppError } from "../kernel/errors.ts";
import { type ConversationId, conversationId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Fleet } from "../ports/fleet.ts";
import { type RemoteCalls, SOMEBODY } from "./remote-calls.ts";
import type { RemoteLooks } from "./remote-looks.ts";

/** What was settled from here is out of the list before its host has told so; if it does not, it comes back. */
const SETTLED_MS = 10_000;
/** While a page shows them they are in nobody's list. */
const ENDS: ReadonlySet<string> = new Set(["finished", "failed", "interrupted"]);

interface EveryInboxDeps {
	own: Inbox;
	fleet: Pick<Fleet, "inbox" | "hosts" | "onChange">;
	calls: Pick<RemoteCalls, "json">;
	looks: RemoteLooks;
	isWatched(id: ConversationId): boolean;
	clock: Clock;
	logger: Logger;
}

/** The inboxes of all hosts as one. Each host holds its own, so that what is settled from anywhere is settled everywhere. */
export function createEveryInbox(deps: EveryInboxDeps): EveryInbox {
	const { own, fleet, clock } = deps;
	const settled = createSettled(clock);
	const isOnScreen = ({ kind, conversationId: id }: InboxItem) => id !== null && ENDS.has(kind) && deps.isWatched(conversationId(id));
	const here = () => {
		const self = fleet.hosts().find((host) => host.self);
		return self === undefined ? {} : { host: { id: self.id, name: self.name } };
	};

	function list(): InboxItem[] {
		const others = fleet.inbox().items.filter((item) => !settled.has(item.id) && !isOnScreen(item));
		const ours = here();
		return [...own.list().map((item) => ({ ...item, ...ours })), ...others].toSorted(byNeed).slice(0, MAX_INBOX_ITEMS);
	}
	const news = createInboxNews({
		...{ list, ids: () => list().map(({ id }) => id), compared: () => undefined, nextWake: () => undefined, clock },
		logger: deps.logger,
	});
	const stops = [own.onChange(news.refresh), fleet.onChange(news.refresh)];

	/** Done there, and out of sight here at once. */
	async function ask(place: { host: string; id: string }, what: { method: "POST" | "DELETE"; path: string; body?: object }): Promise<void> {
		const { path, ...rest } = what;
		await deps.calls.json({ host: place.host }, { ...rest, path: `/api/inbox/${place.id}/${path}` }, SOMEBODY);
	}
	function hide(id: string): void {
		settled.add(id);
		news.refresh();
		clock.after(SETTLED_MS, news.refresh);
	}
	const isHeld = (id: string) =>
		fleet.inbox().items.some((item) => item.id === id && ["question", "permission", "plan", "budget", "form"].includes(item.kind));

	return {
		...own,
		...news,
		list,
		snoozed: () => {
			const ours = here();
			const all = [...own.snoozed().map((item) => ({ ...item, ...ours })), ...fleet.inbox().snoozed];
			return all.toSorted((a, b) => (a.until < b.until ? -1 : 1)).slice(0, MAX_INBOX_ITEMS);
		},
		seen(id) {
			const place = splitRemoteThing(id);
			if (place === undefined) return own.seen(id);
			return ask(known(fleet, place), { method: "POST", path: "seen" }).then(() => (isHeld(id) ? undefined : hide(id)));
		},
		snooze(id, until) {
			const place = splitRemoteThing(id);
			if (place === undefined) return own.snooze(id, until);
			if (!Number.isFinite(until)) throw new AppError("bad-request", "Say until when.", { params: { reason: "snooze-until" } });
			const body = { until: new Date(until).toISOString() };
			return ask(known(fleet, place), { method: "POST", path: "snooze", body }).then(() => hide(id));
		},
		wake(id) {
			const place = splitRemoteThing(id);
			if (place === undefined) return own.wake(id);
			settled.remove(id);
			return ask(known(fleet, place), { method: "DELETE", path: "snooze" });
		},
		looked(id, answer) {
			if (splitRemoteId(id) === undefined) own.looked(id, answer);
			else {
				deps.looks.looked(id, answer);
				news.refresh();
			}
		},
		refresh() {
			own.refresh();
			news.refresh();
		},
		close() {
			for (const stop of stops) stop();
			news.close();
		},
	};
}

/** A host that is none of the others has nothing that could wait. */
function known(fleet: Pick<Fleet, "hosts">, place: { host: string; id: string }): { host: string; id: string } {
	if (fleet.hosts().some(({ id, self }) => id === place.host && !self)) return place;
	throw new AppError("inbox-item-not-found", "This waits no longer: it was settled, or somebody has seen it.");
}

/** Items that were settled from here a moment ago. */
function createSettled(clock: Pick<Clock, "elapsed">) {
	const at = new Map<string, number>();
	const has = (id: string) => clock.elapsed() - (at.get(id) ?? Number.NEGATIVE_INFINITY) < SETTLED_MS;
	return {
		has,
		add(id: string) {
			for (const each of at.keys()) if (!has(each)) at.delete(each);
			if (at.size < MAX_INBOX_ITEMS) at.set(id, clock.elapsed());
		},
		remove: (id: string) => at.delete(id),
	};
}

const byNeed = (a: InboxItem, b: InboxItem) =>
	INBOX_KINDS.indexOf(a.kind) - INBOX_KINDS.indexOf(b.kind) || Date.parse(a.since) - Date.parse(b.since);
