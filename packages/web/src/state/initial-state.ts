import type { Language } from "../i18n/words.ts";
import type { AppState, Visit } from "./app-state.ts";
import type { Settings } from "./settings.ts";

export function initialState(given: { settings: Settings; language: Language; visits: Record<string, Visit>; now: number }): AppState {
	return {
		session: "checking",
		forgetting: false,
		connection: { kind: "connecting", since: given.now },
		conversations: {},
		conversationsLoaded: false,
		conversationsCursor: undefined,
		openId: undefined,
		missingId: undefined,
		views: {},
		loading: {},
		loadingOlder: {},
		outbox: [],
		models: undefined,
		agentModels: {},
		agents: undefined,
		settings: given.settings,
		language: given.language,
		sentences: undefined,
		visits: given.visits,
		away: {},
		jobs: [],
		hosts: [],
		waiting: [],
		appStatus: undefined,
		toasts: [],
		modals: 0,
		panel: undefined,
		sidebarOpen: false,
		paletteOpen: false,
		settingsOpen: false,
		reveal: undefined,
	};
}
