import type { KeyboardEvent } from "react";

/** What a person walks over: heads of files and lines. */
const STOPS = "[data-stop], tr[tabindex]";
const HEADS = "[data-stop], tr.rv-hunk";

/** Arrows, j and k go line by line through all files; n and p from hunk to hunk. */
export function walkLines(event: KeyboardEvent<HTMLElement>): void {
	if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
	const way = { ArrowDown: 1, j: 1, n: 1, ArrowUp: -1, k: -1, p: -1 }[event.key];
	if (way === undefined || !(event.target instanceof Element)) return;
	const here = event.target.closest(STOPS);
	if (here === null) return;
	const next = neighbour(event.currentTarget, here, event.key === "n" || event.key === "p" ? HEADS : STOPS, way);
	if (next === undefined) return;
	event.preventDefault();
	next.focus({ preventScroll: true });
	next.scrollIntoView({ block: "nearest" });
}

function neighbour(list: HTMLElement, here: Element, stops: string, way: number): HTMLElement | undefined {
	const all = [...list.querySelectorAll<HTMLElement>(stops)];
	const at = here instanceof HTMLElement ? all.indexOf(here) : -1;
	if (at >= 0) return all[at + way];
	// From a line to a hunk.
	const after = all.findIndex((stop) => (here.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0);
	const next = after < 0 ? all.length : after;
	return all[way === 1 ? next : next - 1];
}

const isTyping = (target: EventTarget) => target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement;
