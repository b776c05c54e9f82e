import type { InboxItem } from "@rightseat/protocol/model/inbox";
import type { Cancel, Clock } from "../kernel/clock.ts";
import type { Logger } from "../kernel/logger.ts";

/** Timers count in 32 bits. */
const MAX_TIMER_MS = 2_000_000_000;

/** What the list is now, and how it differs from what was told before. */
export interface InboxChange {
	items: readonly InboxItem[];
	added: readonly InboxItem[];
	gone: readonly InboxItem[];
}

/** Compares the list with what was told last, and tells. */
export interface InboxNews {
	/** Compares soon, once for everything that happens together. */
	refresh(): void;
	onChange(listener: (change: InboxChange) => void): () => void;
	close(): void;
}

export function createInboxNews(deps: {
	list(): InboxItem[];
	/** Of the same items, in the same order; most changes of a conversation change none of them. */
	ids(): string[];
	/** Before anybody is told. */
	compared(gone: readonly InboxItem[]): void;
	/** When the list changes by itself next. */
	nextWake(): number | undefined;
	clock: Clock;
	logger: Logger;
}): InboxNews {
	const { clock, logger } = deps;
	const listeners = new Set<(change: InboxChange) => void>();
	let told: readonly InboxItem[] | undefined;
	let pending: Cancel | undefined;
	let wakeUp: Cancel | undefined;

	function compare(): void {
		const ids = deps.ids();
		const isFirst = told === undefined;
		const before = told ?? [];
		const isSame = before.length === ids.length && before.every(({ id }, index) => id === ids[index]);
		const items = isSame ? before : deps.list();
		told = items;
		const gone = without(before, items);
		const added = without(items, before);
		deps.compared(gone);
		wakeLater();
		if (!isFirst && added.length + gone.length === 0) return;
		for (const listener of listeners) {
			try {
				listener({ items, added, gone });
			} catch (error) {
				// One broken listener must not cost the others the change.
				logger.error({ err: error }, "A listener for the inbox threw");
			}
		}
	}

	function wakeLater(): void {
		wakeUp?.();
		const next = deps.nextWake();
		wakeUp = next === undefined ? undefined : clock.after(Math.min(Math.max(0, next - clock.now()), MAX_TIMER_MS), refresh);
	}

	function refresh(): void {
		pending ??= clock.soon(() => {
			pending = undefined;
			try {
				compare();
			} catch (error) {
				// A disk that refuses says so elsewhere; the next change compares again.
				logger.error({ err: error }, "The inbox could not be compared");
			}
		});
	}

	return {
		refresh,
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		close() {
			pending?.();
			wakeUp?.();
		},
	};
}

function without(items: readonly InboxItem[], others: readonly InboxItem[]): InboxItem[] {
	const known = new Set(others.map(({ id }) => id));
	return items.filter(({ id }) => !known.has(id));
}
