import type { InboxItem } from "@rightseat/protocol/model/inbox";
import { type FocusEvent, type MouseEvent, useEffect, useLayoutEffect, useRef } from "react";
import { useMedia } from "../app/use-media.ts";

/** Longer than a key takes that was on its way. */
const HANDED_MS = 1_000;

/** The rows of the inbox: which one has the focus, and which one gets it when that goes. */
export function useInboxRows(items: readonly InboxItem[]) {
	const hasKeys = useMedia("(pointer: fine)");
	const rows = useRef(new Map<string, HTMLLIElement>());
	/** An item that nobody chose has the focus since then: the one before it went by itself. */
	const handedAt = useRef(Number.NEGATIVE_INFINITY);
	/** The item that was acted on last; that it goes is no surprise. */
	const acted = useRef<string>(undefined);
	/** The item that had the focus last, and its place. */
	const focused = useRef<{ id: string; index: number }>(undefined);

	useEffect(() => {
		if (hasKeys) rows.current.values().next().value?.focus();
	}, [hasKeys]);
	// An item that goes while it has the focus hands it to the one that takes its place.
	useLayoutEffect(() => {
		const last = focused.current;
		if (last === undefined || items.some(({ id }) => id === last.id)) return;
		focused.current = undefined;
		if (acted.current !== last.id) handedAt.current = performance.now();
		const next = items[Math.min(last.index, items.length - 1)];
		if (next !== undefined) rows.current.get(next.id)?.focus();
	}, [items]);

	const indexOf = (target: Node) => items.findIndex(({ id }) => rows.current.get(id)?.contains(target) === true);
	return {
		hasKeys,
		indexOf,
		find: (item: InboxItem | undefined) => (item === undefined ? undefined : rows.current.get(item.id)),
		take: (id: string) => (row: HTMLLIElement | null) => {
			if (row === null) rows.current.delete(id);
			else rows.current.set(id, row);
		},
		/** Whether a key may decide about this one; not right after another one stood in its place, which the key was meant for. */
		mayDecide(id: string): boolean {
			if (performance.now() - handedAt.current < HANDED_MS) return false;
			acted.current = id;
			return true;
		},
		onFocus({ target }: FocusEvent<HTMLUListElement>): void {
			const index = indexOf(target);
			const item = items[index];
			if (item !== undefined) focused.current = { id: item.id, index };
		},
		onClick({ target }: MouseEvent<HTMLUListElement>): void {
			if (target instanceof Node) acted.current = items[indexOf(target)]?.id;
		},
	};
}
