import type { SyncOptions } from "../conversation/conversation-sync.ts";
import type { PageState } from "./page-state.ts";
import type { ReadState } from "./read-state.ts";

/** Puts the views of one batch on the page as one change; what came is no longer loading. */
export function createCommitViews({
	state,
	readState,
}: {
	state: PageState;
	readState: Pick<ReadState, "viewsChanged">;
}): SyncOptions["commit"] {
	return (changed, gone) => {
		const views = { ...state.get().views };
		const loading = { ...state.get().loading };
		for (const [id, view] of changed) {
			views[id] = view;
			delete loading[id];
		}
		for (const id of gone) delete views[id];
		state.set({ views, loading });
		readState.viewsChanged(changed);
	};
}
