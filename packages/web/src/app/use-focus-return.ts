import { useEffect, useLayoutEffect, useRef } from "react";

/** While `open`: whatever had the focus before gets it back at the end, if it would be lost otherwise. */
export function useFocusReturn(open: boolean): void {
	const opener = useRef<Element>(null);
	// Before what opens takes the focus, and before what it covers loses it.
	useLayoutEffect(() => {
		if (open) opener.current = document.activeElement;
	}, [open]);
	useEffect(() => {
		if (!open) return;
		return () => {
			const now = document.activeElement;
			// An element that became inert keeps the focus until the next frame.
			const lost = now === null || now === document.body || now.closest("[inert]") !== null;
			if (lost && opener.current instanceof HTMLElement) opener.current.focus();
		};
	}, [open]);
}
