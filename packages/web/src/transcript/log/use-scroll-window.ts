import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { TranscriptItem } from "./transcript-items.ts";
import { extendDown, extendUp, newestRange, type Range, rangeAround } from "./window-range.ts";

/** This near to the end the reader follows along. */
const STICK_PX = 60;
/** More rows are drawn when the border of the drawn ones comes this near. */
const NEAR_PX = 900;
const GUESSED_ROW_PX = 110;

export interface ScrollWindow {
	scroller: RefObject<HTMLDivElement | null>;
	content: RefObject<HTMLDivElement | null>;
	range: Range;
	/** Stands for rows below that are not drawn. */
	belowPx: number;
	following: boolean;
	onScroll: () => void;
	follow: () => void;
	/** Brings one row into view; false if it is not among the items. */
	reveal: (key: string) => boolean;
}

interface Pinned {
	startKey: string;
	/** Undefined: to the end. */
	endKey: string | undefined;
}

/**
 * Draws a part of a long list and keeps what the reader looks at in its place: whatever grows, shrinks, comes or goes around it,
 * the first visible row stays where it was; a reader at the end stays at the end.
 */
export function useScrollWindow(items: readonly TranscriptItem[], needOlder: () => void): ScrollWindow {
	const scroller = useRef<HTMLDivElement>(null);
	const content = useRef<HTMLDivElement>(null);
	const anchor = useRef<{ key: string; top: number } | undefined>(undefined);
	const heights = useRef(new Map<string, number>());
	const wanted = useRef<string | undefined>(undefined);
	/** Where the end was when it was last scrolled to. */
	const end = useRef({ top: 0, height: 0 });
	const [following, setFollowing] = useState(true);
	const [pinned, setPinned] = useState<Pinned | undefined>(undefined);
	const range = resolve(items, pinned);
	/** Ahead of the state by up to a frame. */
	const followingRef = useRef(true);

	const keep = useCallback(() => {
		const box = scroller.current;
		if (box === null) return;
		const target = wanted.current === undefined ? undefined : rowOf(content.current, wanted.current);
		if (target !== undefined) {
			wanted.current = undefined;
			box.scrollTop += target.getBoundingClientRect().top - box.getBoundingClientRect().top - 80;
			target.classList.add("row-revealed");
			anchor.current = anchorOf(box, content.current);
			return;
		}
		// A reader may have scrolled up a moment ago, and the event that says so comes only with the next frame.
		if (followingRef.current && box.scrollTop < end.current.top - 2 && box.scrollHeight >= end.current.height) {
			followingRef.current = false;
			anchor.current = anchorOf(box, content.current);
			return;
		}
		if (followingRef.current) {
			box.scrollTop = box.scrollHeight;
			end.current = { top: box.scrollTop, height: box.scrollHeight };
			return;
		}
		if (anchor.current === undefined) return;
		const row = rowOf(content.current, anchor.current.key);
		if (row === undefined) return;
		const moved = row.getBoundingClientRect().top - box.getBoundingClientRect().top - anchor.current.top;
		if (Math.abs(moved) >= 1) box.scrollTop += moved;
	}, []);

	useLayoutEffect(keep);
	useEffect(() => {
		const observer = new ResizeObserver(() => {
			if (!followingRef.current) for (const row of rowsOf(content.current)) heights.current.set(row.dataset.key ?? "", row.offsetHeight);
			keep();
		});
		if (content.current !== null) observer.observe(content.current);
		if (scroller.current !== null) observer.observe(scroller.current);
		return () => observer.disconnect();
	}, [keep]);

	const pin = (next: Range) => {
		const startKey = items[next.start]?.key;
		if (startKey !== undefined) setPinned({ startKey, endKey: next.end >= items.length ? undefined : items[next.end - 1]?.key });
	};

	const onScroll = () => {
		const box = scroller.current;
		if (box === null) return;
		const below = box.scrollHeight - box.scrollTop - box.clientHeight;
		const atEnd = below < STICK_PX && range.end >= items.length;
		if (!atEnd) anchor.current = anchorOf(box, content.current);
		followingRef.current = atEnd;
		if (atEnd) end.current = { top: box.scrollTop, height: box.scrollHeight };
		if (atEnd !== following) {
			setFollowing(atEnd);
			if (atEnd) setPinned(undefined);
			else if (pinned === undefined) pin(range);
		}
		fill(atEnd);
	};

	/** Draws more when the reader comes near the border of what is drawn. */
	const fill = (atEnd: boolean) => {
		const box = scroller.current;
		if (box === null || atEnd) return;
		if (box.scrollTop < NEAR_PX) {
			if (range.start > 0) pin(extendUp(items, range));
			else needOlder();
		} else if (range.end < items.length && box.scrollHeight - box.scrollTop - box.clientHeight - belowPx < NEAR_PX) {
			pin(extendDown(items, range));
		}
	};
	// Older messages that arrive while the reader waits at the top cause no scroll event.
	useEffect(() => fill(followingRef.current));

	let belowPx = 0;
	for (let index = range.end; index < items.length; index++) belowPx += heights.current.get(items[index]?.key ?? "") ?? GUESSED_ROW_PX;

	return {
		scroller,
		content,
		range,
		belowPx,
		following,
		onScroll,
		follow() {
			setPinned(undefined);
			setFollowing(true);
			followingRef.current = true;
			end.current = { top: 0, height: 0 };
			keep();
		},
		reveal(key) {
			const index = items.findIndex((item) => item.key === key);
			if (index < 0) return false;
			wanted.current = key;
			followingRef.current = false;
			setFollowing(false);
			pin(rangeAround(items, index));
			return true;
		},
	};
}

function resolve(items: readonly TranscriptItem[], pinned: Pinned | undefined): Range {
	if (pinned === undefined) return newestRange(items);
	const start = items.findIndex((item) => item.key === pinned.startKey);
	if (start < 0) return newestRange(items);
	const last = pinned.endKey === undefined ? -1 : items.findIndex((item) => item.key === pinned.endKey);
	return { start, end: last < 0 ? items.length : last + 1 };
}

function rowsOf(content: HTMLElement | null): HTMLElement[] {
	return content === null ? [] : [...content.querySelectorAll<HTMLElement>(":scope > [data-key]")];
}

function rowOf(content: HTMLElement | null, key: string): HTMLElement | undefined {
	return rowsOf(content).find((row) => row.dataset.key === key);
}

/** The first row that reaches into view, and where it stands. */
function anchorOf(box: HTMLElement, content: HTMLElement | null): { key: string; top: number } | undefined {
	const top = box.getBoundingClientRect().top;
	for (const row of rowsOf(content)) {
		const place = row.getBoundingClientRect();
		if (place.bottom > top) return { key: row.dataset.key ?? "", top: place.top - top };
	}
	return undefined;
}
