import { createStore, type StoreApi } from "zustand/vanilla";
import { api } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import { openBrowserSocket, socketUrl } from "../connection/browser-socket.ts";
import { browserClock } from "../connection/clock.ts";
import { createConnection } from "../connection/connection.ts";
import { createFrameBatch } from "../connection/frame-batch.ts";
import { createViewCache } from "../conversation/view-cache.ts";
import { chooseLanguage } from "../i18n/words.ts";
import { takeLoginCode } from "../login/take-login-code.ts";
import type { AppActions } from "../state/app-actions.ts";
import type { AppState } from "../state/app-state.ts";
import { createController } from "../state/controller.ts";
import { conversationOf } from "../state/conversation-path.ts";
import { initialState } from "../state/initial-state.ts";
import { loadSettings } from "../state/settings.ts";
import { loadVisits } from "../state/visits.ts";
import { openDeviceStore } from "../storage/database.ts";
import { forgetBrowser } from "../storage/forget-browser.ts";
import { createWriteAheadStore } from "../storage/write-ahead-outbox.ts";

declare global {
	interface Window {
		/** Set by `boot/boot.ts`. */
		rightseatProbe?: Promise<Probe>;
	}
}

export interface Page {
	store: StoreApi<AppState>;
	actions: AppActions;
	start(): void;
}

/** The one place that wires the page to the browser. */
export function createPage(): Page {
	const settings = loadSettings(localStorage);
	const language = chooseLanguage({ search: location.search, choice: settings.language, browser: navigator.languages });
	const store = createStore<AppState>(() => ({
		...initialState({ settings, language, visits: loadVisits(localStorage), now: Date.now() }),
		// From the first drawing on: until it is open the early box stays, and two boxes would answer to the name of one.
		openId: conversationOf(location.pathname),
	}));
	const device = createWriteAheadStore(openDeviceStore(), localStorage);
	const visible = () => document.visibilityState === "visible";
	const controller = createController({
		store,
		api,
		device,
		cache: createViewCache(device),
		clock: browserClock,
		storage: localStorage,
		newId: () => crypto.randomUUID(),
		firstProbe: window.rightseatProbe,
		visible,
		forgetBrowser,
		reload: () => location.reload(),
		createConnection: (hooks) =>
			createConnection({
				clock: browserClock,
				random: Math.random,
				openSocket: () => openBrowserSocket(socketUrl(location)),
				probe: () => api.probe().then((answer) => (answer === "revoked" ? "signed-out" : answer)),
				visible,
				...hooks,
			}),
		createBatch: (deliver) =>
			createFrameBatch({
				deliver,
				now: browserClock.now,
				visible,
				nextFrame: (run) => void requestAnimationFrame(run),
				later: (delayMs, run) => void setTimeout(run, delayMs),
			}),
	});
	return {
		store,
		actions: controller.actions,
		start() {
			document.addEventListener("visibilitychange", controller.visibilityChanged);
			window.addEventListener("online", controller.networkBack);
			window.addEventListener("offline", controller.networkGone);
			window.addEventListener("pageshow", controller.visibilityChanged);
			void controller.start(takeLoginCode(location, history));
		},
	};
}
