import { navigate } from "wouter/use-browser-location";
import type { ConversationSync } from "../conversation/conversation-sync.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import type { AppActions } from "./app-actions.ts";
import { conversationPath } from "./conversation-path.ts";
import type { PageState } from "./page-state.ts";
import type { ReadState } from "./read-state.ts";

/** Turns the page to a conversation: address, copy on the device, then the server's own. */
export function createOpenConversation(deps: {
	state: PageState;
	cache: Pick<ViewCache, "load">;
	sync: Pick<ConversationSync, "follow">;
	readState: Pick<ReadState, "arrive">;
}): AppActions["openConversation"] {
	const { state, cache, sync, readState } = deps;
	const { get, set } = state;

	async function show(id: string): Promise<void> {
		if (get().views[id] === undefined) {
			const cached = await cache.load(id).catch(() => undefined);
			if (cached !== undefined && get().views[id] === undefined) set({ views: { ...get().views, [id]: cached } });
		}
		if (get().openId !== id) return;
		sync.follow(id);
		readState.arrive(id);
	}

	return (id, { messageId } = {}) => {
		if (location.pathname !== conversationPath(id)) navigate(conversationPath(id) + location.search);
		if (id !== undefined && messageId !== undefined) set({ reveal: { conversationId: id, messageId } });
		// The address bar opens the same one again; going elsewhere cancels the jump to the message.
		else if (get().reveal?.conversationId !== id) set({ reveal: undefined });
		set({ openId: id, missingId: undefined, sidebarOpen: false });
		if (id === undefined) return;
		if (get().views[id] === undefined) set({ loading: { ...get().loading, [id]: true } });
		void show(id);
	};
}
