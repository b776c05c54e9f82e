import { isLogged, type ServerFrame } from "@rightseat/protocol/frames/server";
import type { StoreApi } from "zustand/vanilla";
import type { Api } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import { ApiError } from "../api/request.ts";
import type { Clock } from "../connection/clock.ts";
import type { Connection, ConnectionState } from "../connection/connection.ts";
import { type DecodedServerFrame, decodeServerFrame } from "../connection/decode-frame.ts";
import type { FrameBatch } from "../connection/frame-batch.ts";
import type { ConversationFrame } from "../conversation/apply-frame.ts";
import { createConversationSync } from "../conversation/conversation-sync.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import { commonWords } from "../i18n/common-messages.ts";
import { translator } from "../i18n/words.ts";
import { createOutbox } from "../outbox/outbox.ts";
import type { DeviceStore } from "../storage/database.ts";
import type { AppActions } from "./app-actions.ts";
import type { AppState, Toast } from "./app-state.ts";
import { createConversationActions } from "./conversation-actions.ts";
import { createMessageActions } from "./message-actions.ts";
import { createReading } from "./read-state.ts";
import { createReplyHandler } from "./reply-handler.ts";
import { saveSettings } from "./settings.ts";
import { createSigningOut, type Ending, endingFrom, endingOf } from "./signing-out.ts";

export interface ControllerOptions {
	store: StoreApi<AppState>;
	api: Api;
	device: DeviceStore;
	cache: ViewCache;
	clock: Clock;
	storage: Pick<Storage, "getItem" | "setItem" | "removeItem" | "key" | "length">;
	newId: () => string;
	/** Asked while the page's code was still loading. */
	firstProbe?: Promise<Probe>;
	visible: () => boolean;
	/** Removes what the browser keeps for this page beside the device's store. */
	forgetBrowser?: () => Promise<void>;
	reload?: () => void;
	createConnection: (hooks: { onText: (text: string) => void; onState: (state: ConnectionState) => void }) => Connection;
	createBatch: (deliver: (frames: DecodedServerFrame[]) => void) => FrameBatch<DecodedServerFrame>;
}

export interface Controller {
	actions: AppActions;
	/** Logs in with a code if there is one, shows what the device has, connects. */
	start(code?: string): Promise<void>;
	visibilityChanged(): void;
	networkBack(): void;
	networkGone(): void;
}

/** What every group of actions may use. */
export interface Shared {
	options: ControllerOptions;
	get(): AppState;
	set(patch: Partial<AppState>): void;
	toast(toast: Omit<Toast, "id">): string;
	/** Shows why something failed; a lost login leads to the login form. */
	failed(error: unknown): void;
}

/** A network that swallows everything answers nobody: after this long the reader gets what the device has. */
const FIRST_PROBE_MS = 2_000;
const MAX_TOASTS = 4;
const TOAST_MS = 6_000;

export function createController(options: ControllerOptions): Controller {
	const { store, api, cache, clock, device } = options;
	const get = store.getState;
	const set = (patch: Partial<AppState>) => store.setState(patch);
	const listeners = new Set<(frame: ServerFrame) => void>();
	const openListeners = new Set<() => void>();

	const dismissToast = (id: string) => set({ toasts: get().toasts.filter((toast) => toast.id !== id) });
	const toast = (input: Omit<Toast, "id">) => {
		const id = options.newId();
		set({ toasts: [...get().toasts, { ...input, id }].slice(-MAX_TOASTS) });
		if (input.sticky !== true) clock.after(input.action === undefined ? TOAST_MS : TOAST_MS * 2, () => dismissToast(id));
		return id;
	};
	const signedOut = (ending: Ending) =>
		signingOut.end(ending).catch((error: unknown) => console.warn("This device could not forget what it kept.", error));
	const failed = (error: unknown) => {
		if (error instanceof ApiError && error.status === 401) {
			void signedOut(endingOf(error));
			return;
		}
		const message = error instanceof Error ? error.message : String(error);
		toast({ kind: "error", text: translator(commonWords, get().language)("somethingFailed", { message }) });
	};
	const shared: Shared = { options, get, set, toast, failed };
	const signingOut = createSigningOut(shared, () => connection.stop());

	const batch = options.createBatch((decoded) => {
		const frames: ConversationFrame[] = [];
		const replies: ServerFrame[] = [];
		for (const item of decoded) {
			if (item.kind === "malformed" && item.conversationId !== undefined) sync.distrust(item.conversationId);
			if (item.kind === "unknown" && item.event !== undefined) frames.push({ type: "unknown-event", data: item.event });
			if (item.kind !== "frame") continue;
			if (isConversationFrame(item.frame)) frames.push(item.frame);
			else replies.push(item.frame);
		}
		sync.apply(frames);
		for (const frame of replies) reply(frame);
		outbox.shown(({ conversationId, messageId }) => {
			const view = get().views[conversationId];
			return view?.messages.some(({ id }) => id === messageId) || view?.queue.some((item) => item.messageId === messageId) || false;
		});
		for (const listener of listeners) for (const item of decoded) if (item.kind === "frame") listener(item.frame);
	});

	const connection = options.createConnection({
		onText: (text) => batch.add(decodeServerFrame(text)),
		onState(state) {
			set({ connection: state });
			if (state.kind === "signed-out") void signedOut("unknown");
			if (state.kind !== "open") return;
			sync.reconnected();
			reading.tellPresence();
			outbox.flush();
			connection.send({ type: "copilot:status" });
			void conversations.loadConversations();
			for (const listener of openListeners) listener();
		},
	});
	const outbox = createOutbox({
		clock,
		store: device,
		onChange: (items) => set({ outbox: items }),
		transmit({ kind, conversationId, clientMessageId, text, attachments, mode }) {
			if (kind === "shell") return connection.send({ type: "bash:exec", data: { command: text, conversationId, clientMessageId } });
			return connection.send({ type: "copilot:send", data: { conversationId, prompt: text, clientMessageId, attachments, mode } });
		},
	});
	const sync = createConversationSync({
		clock,
		send: connection.send,
		find: (id) => get().views[id],
		commit(changed, gone) {
			const views = { ...get().views };
			const loading = { ...get().loading };
			for (const [id, view] of changed) {
				views[id] = view;
				delete loading[id];
			}
			for (const id of gone) delete views[id];
			set({ views, loading });
			reading.viewsChanged(changed);
		},
	});
	const reading = createReading({ shared, connection });
	const reply = createReplyHandler({ shared, outbox, sync });
	const conversations = createConversationActions({ shared, sync, reading });
	const messages = createMessageActions({ shared, connection, outbox, newConversation: conversations.newConversation });

	const restoreOutbox = async () => {
		await outbox.restore();
		// The connection may have opened before the device had answered.
		if (connection.state().kind === "open") outbox.flush();
	};

	const firstProbe = () => {
		const late = new Promise<Probe>((resolve) => clock.after(FIRST_PROBE_MS, () => resolve("unreachable")));
		return Promise.race([options.firstProbe ?? api.probe(), late]);
	};

	const actions: AppActions = {
		...conversations,
		...messages,
		async login(credentials) {
			await api.login(credentials);
			set({ session: "signed-in" });
			connection.connect();
			await restoreOutbox();
		},
		async logout({ everywhere = false } = {}) {
			await api.logout(everywhere).catch(failed);
			await signedOut("left");
		},
		send: connection.send,
		onFrame(listener) {
			listeners.add(listener);
			return () => void listeners.delete(listener);
		},
		onOpen(listener) {
			openListeners.add(listener);
			return () => void openListeners.delete(listener);
		},
		reconnect: connection.connect,
		changeSettings(patch) {
			const settings = { ...get().settings, ...patch };
			saveSettings(options.storage, settings);
			set({ settings });
		},
		toast,
		dismissToast,
		show: set,
		enterModal() {
			const level = get().modals + 1;
			set({ modals: level });
			return { level, leave: () => set({ modals: get().modals - 1 }) };
		},
		dismissReveal: () => set({ reveal: undefined }),
		dismissAway: reading.dismissAway,
	};

	return {
		actions,
		async start(code) {
			if (code !== undefined) {
				const worked = await api.login({ code }).then(
					() => true,
					() => false,
				);
				// A used code in an open tab is no reason to bother somebody who is logged in.
				const ending = worked ? undefined : endingFrom(await api.probe());
				if (ending !== undefined) return signedOut(ending);
			} else {
				const ending = endingFrom(await firstProbe());
				if (ending !== undefined) return signedOut(ending);
			}
			set({ session: "signed-in" });
			connection.connect();
			const known = await cache.loadList().catch(() => []);
			if (!get().conversationsLoaded) set({ conversations: Object.fromEntries(known.map((item) => [item.id, item])) });
			await restoreOutbox();
		},
		visibilityChanged() {
			batch.flush();
			connection.visibilityChanged();
			reading.visibilityChanged();
		},
		networkBack: connection.networkBack,
		networkGone: connection.networkGone,
	};
}

function isConversationFrame(frame: ServerFrame): frame is Extract<ServerFrame, ConversationFrame> {
	if (frame.type === "copilot:snapshot" || frame.type === "copilot:stream-status") return true;
	return isLogged(frame);
}
