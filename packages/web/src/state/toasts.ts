import type { Clock } from "../connection/clock.ts";
import type { Toast } from "./app-state.ts";
import type { PageState } from "./page-state.ts";

/** The newest stay; an older one is gone before it could cover the page. */
export const MAX_TOASTS = 4;
export const TOAST_MS = 6_000;

export interface Toasts {
	/** The id, for `dismiss`. One with a button stays twice as long, a sticky one until somebody closes it. */
	toast(toast: Omit<Toast, "id">): string;
	dismiss(id: string): void;
}

/** Short messages above the page. */
export function createToasts({ state, clock, newId }: { state: PageState; clock: Clock; newId: () => string }): Toasts {
	function dismiss(id: string): void {
		state.set({ toasts: state.get().toasts.filter((toast) => toast.id !== id) });
	}
	return {
		dismiss,
		toast(input) {
			const id = newId();
			state.set({ toasts: [...state.get().toasts, { ...input, id }].slice(-MAX_TOASTS) });
			if (input.sticky !== true) clock.after(input.action === undefined ? TOAST_MS : TOAST_MS * 2, () => dismiss(id));
			return id;
		},
	};
}
