import type { Agent } from "@rightseat/protocol/http/agents";
import type { HostView, OutboxItem as WaitingPrompt } from "@rightseat/protocol/http/fleet";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Job } from "@rightseat/protocol/model/job";
import type { Model } from "@rightseat/protocol/model/language-model";
import type { Sentences } from "@rightseat/protocol/sentences/say-coded";
import type { ConnectionState } from "../connection/connection.ts";
import type { ConversationView } from "../conversation/conversation-view.ts";
import type { Language } from "../i18n/words.ts";
import type { OutboxItem } from "../outbox/outbox.ts";
import type { Settings } from "./settings.ts";

export interface Toast {
	id: string;
	kind: "info" | "error";
	text: string;
	action?: { label: string; run: () => void };
	/** Until somebody closes it. */
	sticky?: boolean;
}

/** Where the reader was when they last looked at a conversation. */
export interface Visit {
	seq: number;
	at: number;
}

/** From the last visit until the reader came back. */
export interface Absence extends Visit {
	until: number;
}

/** The models of an agent; `default` is empty where it chooses by itself. */
export interface ModelChoice {
	models: readonly Model[];
	default: string;
}

export interface AppState {
	session: "checking" | "signed-out" | "signed-in";
	/** The login has ended and the page may load itself anew: a form that is shown now would lose what is typed into it. */
	forgetting: boolean;
	connection: ConnectionState;
	/** Every conversation that is known, by id. */
	conversations: Readonly<Record<string, Conversation>>;
	conversationsLoaded: boolean;
	conversationsCursor: string | undefined;
	/** The conversation on screen. */
	openId: string | undefined;
	/** It was asked for and does not exist. */
	missingId: string | undefined;
	views: Readonly<Record<string, ConversationView>>;
	/** Conversations whose first snapshot was asked for and has not come. */
	loading: Readonly<Record<string, boolean>>;
	loadingOlder: Readonly<Record<string, boolean>>;
	outbox: readonly OutboxItem[];
	/** Of Copilot. */
	models: ModelChoice | undefined;
	/** Of the other agents, by agent, as far as somebody asked. */
	agentModels: Readonly<Record<string, ModelChoice>>;
	/** Undefined until a part of the page needed to know them. */
	agents: { agents: readonly Agent[]; default: string } | undefined;
	settings: Settings;
	language: Language;
	/** How errors are said in words; undefined until they have been loaded. */
	sentences: Sentences | undefined;
	/** Last visit per conversation; older headSeq than the conversation's means unread. */
	visits: Readonly<Record<string, Visit>>;
	/** When the reader was away, for the card on return. */
	away: Readonly<Record<string, Absence>>;
	jobs: readonly Job[];
	/** Of the fleet, this one first; empty without one. */
	hosts: readonly HostView[];
	/** Prompts that wait on the server for other hosts. */
	waiting: readonly WaitingPrompt[];
	/** The newest `app:status`. */
	appStatus: { runtime: unknown; storage: unknown; telegram?: unknown } | undefined;
	toasts: readonly Toast[];
	/** Modal dialogs that are open, one above the other. */
	modals: number;
	panel: "terminal" | "processes" | "review" | "files" | "inbox" | "setup" | undefined;
	/** The drawer on a phone. */
	sidebarOpen: boolean;
	paletteOpen: boolean;
	settingsOpen: boolean;
	/** A message that is still to be scrolled to, from search. */
	reveal: { conversationId: string; messageId: string } | undefined;
}
