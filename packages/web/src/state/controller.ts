import { type DecodedServerFrame, decodeServerFrame } from "@rightseat/protocol/frames/decode-server-frame";
import type { ServerFrame } from "@rightseat/protocol/frames/server";
import type { StoreApi } from "zustand/vanilla";
import type { Api } from "../api/api.ts";
import type { Probe } from "../api/probe.ts";
import type { Clock } from "../connection/clock.ts";
import type { Connection, ConnectionState } from "../connection/connection.ts";
import type { FrameBatch } from "../connection/frame-batch.ts";
import { createConversationSync } from "../conversation/conversation-sync.ts";
import type { ViewCache } from "../conversation/view-cache.ts";
import { createOutbox, frameOf } from "../outbox/outbox.ts";
import type { DeviceStore } from "../storage/database.ts";
import type { AppActions } from "./app-actions.ts";
import type { AppState } from "./app-state.ts";
import { createCommitViews } from "./commit-views.ts";
import { createConversationActions } from "./conversation-actions.ts";
import { createLoadActions } from "./load-actions.ts";
import { createMessageActions } from "./message-actions.ts";
import { createOpenConversation } from "./open-conversation.ts";
import { createEvent } from "./page-events.ts";
import { createReadState } from "./read-state.ts";
import { createFrameReceiver } from "./receive-frames.ts";
import { createReplyHandler } from "./reply-handler.ts";
import { createReportFailure } from "./report-failure.ts";
import { createSessionActions } from "./session-actions.ts";
import { createSigningOut } from "./signing-out.ts";
import { createToasts } from "./toasts.ts";
import { createWindowActions } from "./window-actions.ts";

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

/** Wires the page's state, its connection and its actions to each other; each of them names what it needs. */
export function createController(options: ControllerOptions): Controller {
	const { store, api, cache, clock, device, storage, visible, newId } = options;
	const state = { get: store.getState, set: (patch: Partial<AppState>) => store.setState(patch) };
	const frames = createEvent<ServerFrame>({ held: false });
	const opens = createEvent<void>({ held: false });

	const { toast, dismiss } = createToasts({ state, clock, newId });
	const stop = () => connection.stop();
	const { forgetBrowser, reload } = options;
	const { signOut } = createSigningOut({ state, device, storage, api, stop, forgetBrowser, reload });
	const reportFailure = createReportFailure({ state, toast, signOut });

	const batch = options.createBatch((decoded) => receive(decoded));
	const connection = options.createConnection({ onText: (text) => batch.add(decodeServerFrame(text)), onState: connectionChanged });
	const { send } = connection;
	const outbox = createOutbox({
		clock,
		store: device,
		transmit: (item) => send(frameOf(item)),
		onChange: (items) => state.set({ outbox: items }),
	});
	const readState = createReadState({ state, clock, cache, storage, visible, send });
	const commit = createCommitViews({ state, readState });
	const sync = createConversationSync({ clock, send, find: (id) => state.get().views[id], commit });
	const reply = createReplyHandler({ state, toast, outbox, sync, cache });
	const receive = createFrameReceiver({ state, sync, outbox, reply, tell: frames.emit });

	const openConversation = createOpenConversation({ state, cache, sync, readState });
	const conversations = createConversationActions({ state, api, cache, sync, openConversation, reportFailure });
	const { newConversation } = conversations;
	const loads = createLoadActions({ state, api, cache, reportFailure });
	const messages = createMessageActions({ state, toast, newId, send, outbox, newConversation, loadMessage: loads.loadMessage });
	const { firstProbe } = options;
	const session = createSessionActions({ state, api, cache, clock, connection, outbox, firstProbe, reportFailure, signOut });

	function connectionChanged(changed: ConnectionState): void {
		state.set({ connection: changed });
		if (changed.kind === "signed-out") void signOut("unknown");
		if (changed.kind !== "open") return;
		sync.reconnected();
		readState.tellPresence();
		outbox.flush();
		send({ type: "copilot:status" });
		void loads.loadConversations();
		opens.emit();
	}

	return {
		actions: {
			...conversations,
			...loads,
			...messages,
			...createWindowActions({ state, storage }),
			openConversation,
			login: session.login,
			logout: session.logout,
			send,
			onFrame: frames.listen,
			onOpen: opens.listen,
			reconnect: connection.connect,
			toast,
			dismissToast: dismiss,
			dismissAway: readState.dismissAway,
		},
		start: session.start,
		visibilityChanged() {
			batch.flush();
			connection.visibilityChanged();
			readState.visibilityChanged();
		},
		networkBack: connection.networkBack,
		networkGone: connection.networkGone,
	};
}
