import type { ConversationPatch } from "@rightseat/protocol/http/requests";
import type { Api } from "../api/api.ts";
import { ApiError } from "../api/request.ts";
import type { ConversationSync } from "../conversation/conversation-sync.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import type { AppActions } from "./app-actions.ts";
import { forgetConversation } from "./forget-conversation.ts";
import type { PageState } from "./page-state.ts";
import type { ReportFailure } from "./report-failure.ts";

type ConversationActions = Pick<
	AppActions,
	"newConversation" | "updateConversation" | "renameConversation" | "pinConversation" | "archiveConversation" | "deleteConversation"
>;

/** Creating, changing and deleting a conversation. A change is shown at once and taken back if the server refuses it. */
export function createConversationActions(deps: {
	state: PageState;
	api: Pick<Api, "createConversation" | "updateConversation" | "deleteConversation">;
	cache: Pick<ViewCache, "forget">;
	sync: Pick<ConversationSync, "unfollow">;
	openConversation: AppActions["openConversation"];
	reportFailure: ReportFailure;
}): ConversationActions {
	const { state, api, openConversation, reportFailure } = deps;
	const { get, set } = state;

	async function updateConversation(id: string, patch: ConversationPatch): Promise<boolean> {
		const before = get().conversations[id];
		if (before !== undefined) set({ conversations: { ...get().conversations, [id]: { ...before, ...patch } } });
		try {
			const conversation = await api.updateConversation(id, patch);
			set({ conversations: { ...get().conversations, [id]: conversation } });
			return true;
		} catch (error) {
			if (before !== undefined) set({ conversations: { ...get().conversations, [id]: before } });
			reportFailure(error);
			return false;
		}
	}

	return {
		updateConversation,
		renameConversation: (id, title) => updateConversation(id, { title }),
		pinConversation: (id, pinned) => updateConversation(id, { pinned }),
		archiveConversation: (id, archived) => updateConversation(id, { archived }),
		async newConversation(input = {}) {
			try {
				const conversation = await api.createConversation(input);
				set({ conversations: { ...get().conversations, [conversation.id]: conversation } });
				openConversation(conversation.id);
				return conversation.id;
			} catch (error) {
				reportFailure(error);
				return undefined;
			}
		},
		async deleteConversation(id) {
			try {
				await api.deleteConversation(id);
			} catch (error) {
				if (!(error instanceof ApiError && error.status === 404)) {
					reportFailure(error);
					return false;
				}
			}
			forgetConversation(id, deps);
			if (get().openId === id) openConversation(undefined);
			return true;
		},
	};
}
