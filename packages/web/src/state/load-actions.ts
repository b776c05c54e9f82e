import type { Api } from "../api/api.ts";
import { ApiError } from "../api/request.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import type { AppActions } from "./app-actions.ts";
import type { PageState } from "./page-state.ts";
import type { ReportFailure } from "./report-failure.ts";

const OLDER_PAGE = 50;

type LoadActions = Pick<
	AppActions,
	"loadConversations" | "loadModels" | "loadAgents" | "loadSentences" | "loadOlder" | "loadMessage" | "search"
>;

/** What the page fetches over HTTP because it does not come by events. */
export function createLoadActions(deps: {
	state: PageState;
	api: Pick<Api, "conversations" | "models" | "agents" | "messages" | "message" | "search">;
	cache: Pick<ViewCache, "saveList">;
	reportFailure: ReportFailure;
}): LoadActions {
	const { api, cache, reportFailure } = deps;
	const { get, set } = deps.state;

	async function loadConversations({ more = false, archived }: { more?: boolean; archived?: boolean } = {}): Promise<void> {
		try {
			const page = await api.conversations({ cursor: more ? get().conversationsCursor : undefined, archived });
			const fresh = Object.fromEntries(page.conversations.map((conversation) => [conversation.id, conversation]));
			set({ conversations: { ...get().conversations, ...fresh }, conversationsLoaded: true, conversationsCursor: page.nextCursor });
			if (!more && get().session === "signed-in") void cache.saveList(page.conversations).catch(() => undefined);
		} catch (error) {
			if (error instanceof ApiError && error.status === 0) return;
			reportFailure(error);
		}
	}

	async function loadOlder(id: string): Promise<void> {
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
				const grown = { ...now, messages: [...older, ...now.messages], olderCursor: page.nextCursor };
				set({ views: { ...get().views, [id]: grown } });
			}
		} catch (error) {
			reportFailure(error);
		} finally {
			const { [id]: _done, ...loadingOlder } = get().loadingOlder;
			set({ loadingOlder });
		}
	}

	return {
		loadConversations,
		loadOlder,
		loadModels: (agent) =>
			api.models(agent).then(
				(models) => set(agent === undefined ? { models } : { agentModels: { ...get().agentModels, [agent]: models } }),
				(error: unknown) => reportFailure(error),
			),
		loadAgents: () =>
			api.agents().then(
				(agents) => set({ agents }),
				// Nobody pressed anything: a page that is offline says so already, and asks again when it is back.
				(error: unknown) => (error instanceof ApiError && error.status === 0 ? undefined : reportFailure(error)),
			),
		async loadSentences() {
			try {
				const { errorSentences } = await import("@rightseat/protocol/sentences/error-sentences");
				set({ sentences: errorSentences });
			} catch (error) {
				// The server's own sentences are there meanwhile.
				console.warn("The words for errors could not be loaded.", error);
			}
		},
		loadMessage: (conversationId, messageId) =>
			api.message(conversationId, messageId).catch((error: unknown) => {
				reportFailure(error);
				return undefined;
			}),
		search: (query, signal) => api.search(query, signal),
	};
}
