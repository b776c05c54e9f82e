import type { ConversationView } from "../conversation/conversation-view.ts";
import type { AppState } from "./app-state.ts";

/** The view of the conversation on screen, if there is one and it has come. */
export const openView = (state: AppState): ConversationView | undefined =>
	state.openId === undefined ? undefined : state.views[state.openId];
