import type { ClientFrame } from "@rightseat/protocol/frames/client";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { render } from "@testing-library/react";
import type { ReactNode } from "react";
import { createStore, type StoreApi } from "zustand/vanilla";
import { api } from "../api/api.ts";
import { browserClock } from "../connection/clock.ts";
import type { Connection } from "../connection/connection.ts";
import { createViewCache } from "../conversation/view-cache.ts";
import { LanguageProvider } from "../i18n/use-words.tsx";
import type { AppActions } from "../state/app-actions.ts";
import type { AppState } from "../state/app-state.ts";
import { createController } from "../state/controller.ts";
import { initialState } from "../state/initial-state.ts";
import { settingsSchema } from "../state/settings.ts";
import { UiProvider } from "../state/ui-slice.tsx";
import { PageProvider } from "../state/use-page.tsx";
import { createMemoryStore } from "../storage/database.ts";

export interface TestPage {
	store: StoreApi<AppState>;
	actions: AppActions;
	/** Every frame that went to the server. */
	sent: ClientFrame[];
	/** Frames from the server. */
	receive(...frames: ServerFrame[]): void;
}

/** The real state and actions over a connection that only writes down what is sent; ids are `id-1`, `id-2` … */
export function createTestPage(given: { conversations?: Conversation[]; openId?: string; state?: Partial<AppState> } = {}): TestPage {
	const sent: ClientFrame[] = [];
	let ids = 0;
	let onText: (text: string) => void = () => undefined;
	const store = createStore<AppState>(() => ({
		...initialState({ settings: settingsSchema.parse({}), language: "en", visits: {}, now: Date.now() }),
		session: "signed-in",
		connection: { kind: "open", since: 0 },
		conversationsLoaded: true,
		conversations: Object.fromEntries((given.conversations ?? []).map((conversation) => [conversation.id, conversation])),
		openId: given.openId,
		...given.state,
	}));
	const nothing = () => undefined;
	const connection: Connection = {
		connect: nothing,
		send: (frame) => sent.push(frame) > 0,
		state: () => ({ kind: "open", since: 0 }),
		visibilityChanged: nothing,
		networkBack: nothing,
		networkGone: nothing,
		stop: nothing,
	};
	const device = createMemoryStore();
	const { actions } = createController({
		store,
		api,
		device,
		cache: createViewCache(device),
		clock: browserClock,
		storage: localStorage,
		newId: () => `id-${++ids}`,
		visible: () => true,
		createConnection(hooks) {
			onText = hooks.onText;
			return connection;
		},
		createBatch: (deliver) => ({ add: (frame) => deliver([frame]), flush: nothing }),
	});
	return {
		store,
		actions,
		sent,
		receive(...frames) {
			for (const frame of frames) onText(JSON.stringify(frame));
		},
	};
}

export function renderInPage(page: Pick<TestPage, "store" | "actions">, children: ReactNode) {
	return render(
		<PageProvider page={page}>
			<LanguageProvider language="en">
				<UiProvider>{children}</UiProvider>
			</LanguageProvider>
		</PageProvider>,
	);
}
