import { type RefObject, useLayoutEffect } from "react";

/** A card that goes away while it has the focus hands it to the conversation around it: not to the message box, whose keyboard would open on a phone. */
export function useMoveFocus(card: RefObject<HTMLElement | null>): void {
	useLayoutEffect(() => {
		const element = card.current;
		const log = document.querySelector<HTMLElement>('[role="log"]');
		return () => {
			if (element?.contains(document.activeElement) === true) log?.focus({ preventScroll: true });
		};
	}, [card]);
}
