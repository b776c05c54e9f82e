import { navigate } from "wouter/use-browser-location";
import type { ConversationPatch } from "../api/api.ts";
import { ApiError } from "../api/request.ts";
import type { ConversationSync } from "../conversation/conversation-sync.ts";
import type { AppActions } from "./app-actions.ts";
import type { Shared } from "./controller.ts";
import { conversationPath } from "./conversation-path.ts";
import type { Reading } from "./read-state.ts";

const OLDER_PAGE = 50;

type ConversationActions = Pick<
	AppActions,
	| "openConversation"
	| "newConversation"
	| "updateConversation"
	| "renameConversation"
	| "pinConversation"
	| "archiveConversation"
	| "deleteConversation"
	| "loadConversations"
	| "loadModels"
	| "search"
	| "loadOlder"
>;

export function createConversationActions(deps: { shared: Shared; sync: ConversationSync; reading: Reading }): ConversationActions {
	const { shared, sync, reading } = deps;
	const { get, set, failed, options } = shared;
	const { api, cache } = options;

	const openConversation: AppActions["openConversation"] = (id, { messageId } = {}) => {
		if (location.pathname !== conversationPath(id)) navigate(conversationPath(id) + location.search);
		if (id !== undefined && messageId !== undefined) set({ reveal: { conversationId: id, messageId } });
		// The address bar opens the same one again; whoever goes elsewhere does not want the message any more.
		else if (get().reveal?.conversationId !== id) set({ reveal: undefined });
		set({ openId: id, missingId: undefined, sidebarOpen: false });
		if (id === undefined) return;
		if (get().views[id] === undefined) set({ loading: { ...get().loading, [id]: true } });
		void show(id);
	};

	const show = async (id: string) => {
		if (get().views[id] === undefined) {
			const cached = await cache.load(id).catch(() => undefined);
			if (cached !== undefined && get().views[id] === undefined) set({ views: { ...get().views, [id]: cached } });
		}
		if (get().openId !== id) return;
		sync.follow(id);
		reading.arrive(id);
	};

	const updateConversation = async (id: string, patch: ConversationPatch) => {
		const before = get().conversations[id];
		if (before !== undefined) set({ conversations: { ...get().conversations, [id]: { ...before, ...patch } } });
		try {
			const conversation = await api.updateConversation(id, patch);
			set({ conversations: { ...get().conversations, [id]: conversation } });
			return true;
		} catch (error) {
			if (before !== undefined) set({ conversations: { ...get().conversations, [id]: before } });
			failed(error);
			return false;
		}
	};

	return {
		openConversation,
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
				failed(error);
				return undefined;
			}
		},
		async deleteConversation(id) {
			try {
				await api.deleteConversation(id);
			} catch (error) {
				if (!(error instanceof ApiError && error.status === 404)) {
					failed(error);
					return false;
				}
			}
			const { [id]: _gone, ...conversations } = get().conversations;
			set({ conversations });
			sync.unfollow(id);
			void cache.forget(id);
			if (get().openId === id) openConversation(undefined);
			return true;
		},
		async loadConversations({ more = false, archived } = {}) {
			const { conversationsCursor } = get();
			try {
				const page = await api.conversations({
					...(more && conversationsCursor !== undefined ? { cursor: conversationsCursor } : {}),
					...(archived === undefined ? {} : { archived }),
				});
				const fresh = Object.fromEntries(page.conversations.map((conversation) => [conversation.id, conversation]));
				set({
					conversations: { ...get().conversations, ...fresh },
					conversationsLoaded: true,
					conversationsCursor: page.nextCursor,
				});
				if (!more && get().session === "signed-in") void cache.saveList(page.conversations).catch(() => undefined);
			} catch (error) {
				if (error instanceof ApiError && error.status === 0) return;
				failed(error);
			}
		},
		async loadModels() {
			try {
				set({ models: await api.models() });
			} catch (error) {
				failed(error);
			}
		},
		search: (query, signal) => api.search(query, signal),
		async loadOlder(id) {
			const view = get().views[id];
			const first = view?.messages[0];
			if (view?.olderCursor === undefined || first === undefined || get().loadingOlder[id] === true) return;
			set({ loadingOlder: { ...get().loadingOlder, [id]: true } });
			try {
				const page = await api.messages(id, { before: first.id, limit: OLDER_PAGE });
				const now = get().views[id];
				if (now !== undefined && now.messages[0]?.id === first.id) {
					const known = new Set(now.messages.map((message) => message.id));
					const older = page.messages.filter((message) => !known.has(message.id));
					set({
						views: { ...get().views, [id]: { ...now, messages: [...older, ...now.messages], olderCursor: page.nextCursor } },
					});
				}
			} catch (error) {
				failed(error);
			} finally {
				const { [id]: _done, ...loadingOlder } = get().loadingOlder;
				set({ loadingOlder });
			}
		},
	};
}
