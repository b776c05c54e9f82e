import type { InboxItem, InboxKind } from "@rightseat/protocol/model/inbox";
import type { Clock } from "../kernel/clock.ts";
import type { InboxMark } from "../ports/inbox-store.ts";
import type { Store } from "../ports/store.ts";
import type { InboxReason } from "./inbox-source.ts";

/** Items that somebody has seen or put off, and that are remembered as such; the oldest mark is forgotten. */
export const MAX_INBOX_MARKS = 1_000;
/** An agent waits for these at this moment, and its time runs: having seen them is no answer. */
const HELD: ReadonlySet<InboxKind> = new Set(["question", "permission", "plan", "budget", "form"]);
export const isHeld = (kind: InboxKind): boolean => HELD.has(kind);

/** What people said about items. */
export interface Marks {
	/** Those that are not seen and not put off. */
	shown(reasons: readonly InboxReason[]): InboxReason[];
	/** Those that come back later, with when. */
	snoozed(reasons: readonly InboxReason[]): { reason: InboxReason; until: number }[];
	set(mark: InboxMark): void;
	remove(itemId: string): void;
	/** What was said about items that are gone goes with them; of one that is only hidden it stays. */
	forget(gone: readonly InboxItem[], left: () => readonly InboxReason[]): void;
	/** When the next one comes back. */
	nextWake(): number | undefined;
}

export function createMarks({ inbox, clock }: { inbox: Store["inbox"]; clock: Pick<Clock, "now"> }): Marks {
	const known = () => new Map(inbox.marks().map((mark) => [mark.itemId, mark]));
	return {
		shown(reasons) {
			const marks = known();
			return reasons.filter(({ id, kind }) => {
				const { seen = false, snoozedUntil = 0 } = marks.get(id) ?? {};
				return !(seen && !isHeld(kind)) && snoozedUntil <= clock.now();
			});
		},
		snoozed(reasons) {
			const marks = known();
			const off = reasons.flatMap((reason) => {
				const until = marks.get(reason.id)?.snoozedUntil ?? 0;
				return until > clock.now() ? [{ reason, until }] : [];
			});
			return off.toSorted((a, b) => a.until - b.until);
		},
		set(mark) {
			inbox.setMark(mark);
			for (const { itemId } of inbox.marks().slice(0, -MAX_INBOX_MARKS)) inbox.removeMark(itemId);
		},
		remove: (itemId) => inbox.removeMark(itemId),
		forget(gone, left) {
			const marks = known();
			for (const { itemId, seen, snoozedUntil } of marks.values()) if (!seen && snoozedUntil <= clock.now()) inbox.removeMark(itemId);
			const marked = gone.filter(({ id }) => marks.has(id));
			if (marked.length === 0) return;
			const kept = new Set(left().map(({ id }) => id));
			for (const { id } of marked) if (!kept.has(id)) inbox.removeMark(id);
		},
		nextWake() {
			const later = inbox.marks().flatMap(({ snoozedUntil }) => (snoozedUntil > clock.now() ? [snoozedUntil] : []));
			return later.length === 0 ? undefined : Math.min(...later);
		},
	};
}
