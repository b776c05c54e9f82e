import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from "react";
import { placeBeside } from "./place-beside.ts";

/** The box of a menu: placed beside its button, walked with the keyboard, gone when somebody presses elsewhere. */
export function MenuBox(props: {
	id: string;
	holder: HTMLElement | null;
	align: "start" | "end";
	info: string | undefined;
	onClose: () => void;
	onLeave: () => void;
	children: ReactNode;
}) {
	const { id, holder, align, info, onClose, onLeave, children } = props;
	const box = useRef<HTMLDivElement>(null);
	const button = holder?.firstElementChild ?? null;
	useLayoutEffect(() => {
		if (box.current === null || button === null) return;
		placeBeside(box.current, button, align);
		(itemsOf(box.current).find((item) => item.getAttribute("aria-checked") === "true") ?? itemsOf(box.current)[0] ?? box.current).focus();
	}, [button, align]);
	useEffect(() => {
		const pressed = (event: PointerEvent) => {
			const target = event.target instanceof Node ? event.target : null;
			if (box.current?.contains(target) !== true && button?.contains(target) !== true) onLeave();
		};
		const moved = () => onLeave();
		document.addEventListener("pointerdown", pressed, true);
		addEventListener("resize", moved);
		return () => {
			document.removeEventListener("pointerdown", pressed, true);
			removeEventListener("resize", moved);
		};
	}, [button, onLeave]);
	const onKeyDown = (event: KeyboardEvent) => {
		event.stopPropagation();
		if (event.key === "Escape" || event.key === "Tab") {
			event.preventDefault();
			onClose();
			return;
		}
		const items = itemsOf(box.current);
		const at = document.activeElement instanceof HTMLElement ? items.indexOf(document.activeElement) : -1;
		const next = nextItem(items, at, event.key);
		if (next === undefined) return;
		event.preventDefault();
		next.focus();
	};
	return (
		// biome-ignore lint/a11y/noStaticElementInteractions: its role is given below, as menu or as dialog.
		<div
			ref={box}
			id={id}
			{...(info === undefined ? { role: "menu" } : { role: "dialog", "aria-label": info })}
			tabIndex={-1}
			onKeyDown={onKeyDown}
			className="fixed z-50 max-h-[70dvh] min-w-44 max-w-[min(92vw,26rem)] overflow-y-auto rounded-xl border bg-surface p-1 shadow-float outline-none"
		>
			{children}
		</div>
	);
}

function itemsOf(box: HTMLElement | null): HTMLElement[] {
	return box === null ? [] : [...box.querySelectorAll<HTMLElement>('[role^="menuitem"]:not(:disabled)')];
}

/** Arrows go round, Home and End jump, a letter finds the next item that begins with it. */
function nextItem(items: HTMLElement[], at: number, key: string): HTMLElement | undefined {
	if (key === "ArrowDown") return items[(at + 1) % items.length];
	if (key === "ArrowUp") return items.at(at <= 0 ? -1 : at - 1);
	if (key === "Home") return items[0];
	if (key === "End") return items.at(-1);
	if (key.length !== 1 || key === " ") return undefined;
	const starts = (item: HTMLElement) => item.textContent?.trim().toLowerCase().startsWith(key.toLowerCase()) === true;
	return [...items.slice(at + 1), ...items.slice(0, at + 1)].find(starts);
}
