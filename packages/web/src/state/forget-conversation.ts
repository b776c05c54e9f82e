import type { ConversationSync } from "../conversation/conversation-sync.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import type { PageState } from "./page-state.ts";

/** A deleted conversation leaves the list, the subscriptions and this device. */
export function forgetConversation(
	id: string,
	deps: { state: PageState; sync: Pick<ConversationSync, "unfollow">; cache: Pick<ViewCache, "forget"> },
): void {
	const { [id]: _gone, ...conversations } = deps.state.get().conversations;
	deps.state.set({ conversations });
	deps.sync.unfollow(id);
	deps.cache.forget(id).catch((error: unknown) => console.warn("This device could not forget a conversation.", error));
}
