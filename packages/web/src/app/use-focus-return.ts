import { useEffect } from "react";

/** While `open`: whatever had the focus before gets it back at the end, if it would be lost otherwise. */
export function useFocusReturn(open: boolean): void {
	useEffect(() => {
		if (!open) return;
		const opener = document.activeElement;
		return () => {
			const now = document.activeElement;
			// An element that became inert keeps the focus until the next frame.
			const lost = now === null || now === document.body || now.closest("[inert]") !== null;
			if (lost && opener instanceof HTMLElement) opener.focus();
		};
	}, [open]);
}
