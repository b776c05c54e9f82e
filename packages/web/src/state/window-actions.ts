import type { AppActions } from "./app-actions.ts";
import type { PageState } from "./page-state.ts";
import { saveSettings } from "./settings.ts";

/** What a person changes about the page itself. */
export function createWindowActions({
	state,
	storage,
}: {
	state: PageState;
	storage: Pick<Storage, "setItem">;
}): Pick<AppActions, "changeSettings" | "show" | "enterModal" | "dismissReveal"> {
	const { get, set } = state;
	return {
		changeSettings(patch) {
			const settings = { ...get().settings, ...patch };
			saveSettings(storage, settings);
			set({ settings });
		},
		show: set,
		enterModal() {
			const level = get().modals + 1;
			set({ modals: level });
			return { level, leave: () => set({ modals: get().modals - 1 }) };
		},
		dismissReveal: () => set({ reveal: undefined }),
	};
}
