import type { AppState } from "./app-state.ts";

/** The page's state as the actions use it: what is true now, and a change of some of it. */
export interface PageState {
	get(): AppState;
	set(patch: Partial<AppState>): void;
}
