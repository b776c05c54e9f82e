import { createStore } from "zustand/vanilla";
import type { AppState } from "../state/app-state.ts";
import { initialState } from "../state/initial-state.ts";
import type { PageState } from "../state/page-state.ts";
import { settingsSchema } from "../state/settings.ts";

/** The state of a page where somebody is logged in, for actions without a page around them. */
export function createTestState(patch: Partial<AppState> = {}): PageState {
	const store = createStore<AppState>(() => ({
		...initialState({ settings: settingsSchema.parse({}), language: "en", visits: {}, now: 0 }),
		session: "signed-in",
		...patch,
	}));
	return { get: store.getState, set: (change) => store.setState(change) };
}
