import type { FolderSetupAnswer } from "@rightseat/protocol/http/folders";
import type { GitState } from "@rightseat/protocol/http/git";
import type { inboxAnswer } from "@rightseat/protocol/http/inbox";
import { createContext, type ReactNode, useContext, useState } from "react";
import type * as z from "zod/mini";
import { createStore, type StoreApi, useStore } from "zustand";
import { createPageEvents, type PageEvents } from "./page-events.ts";
import type { ReviewScope } from "./review.ts";

export type SettingsSection =
	| "general"
	| "model"
	| "notifications"
	| "telegram"
	| "devices"
	| "security"
	| "setup"
	| "usage"
	| "activity"
	| "fleet"
	| "about";

/** After this answer, or before this prompt, whose text is edited. */
export interface ForkPlace {
	conversationId: string;
	messageId: string;
	text?: string;
}

/** Which of the smaller windows is open; nothing here is kept. */
export interface UiState {
	dialog?: "new-conversation" | "shortcuts" | "worktrees" | "schedules" | "share" | undefined;
	/** What was said about the context: `context`, `compact`, or `btw` with a side question. */
	context?: string | undefined;
	settingsSection: SettingsSection;
	/** Whose limits the settings show; else the one on screen. */
	budgetOf?: string | undefined;
	/** Agent and model chosen before the conversation exists. */
	newAgent?: string | undefined;
	newModel?: string | undefined;
	/** The same for how the agent works; what is not named is its own. */
	newSetting?: { mode?: string; effort?: string } | undefined;
	/** Whether the first steps are shown, as the server knows it; undefined until it was asked. And the step that is. */
	firstRun?: "due" | "done" | undefined;
	firstStep?: number | undefined;
	/** What the terminal types for a person when it is open; they press Enter. */
	terminalText?: string | undefined;
	/** What the panel of changes shows; undefined as it comes. */
	review?: ReviewScope | undefined;
	/** The file that the panel of files shows; a path may end with a line. */
	file?: string | undefined;
	/** Where the repository of a conversation stood when it was looked at last. */
	git?: { place: string; state: GitState | undefined } | undefined;
	/** What the folder of a conversation brings for agents, when it was looked at last; a place is a host and a path. */
	folderSetup?: { place: string; answer: FolderSetupAnswer } | undefined;
	/** Counts up when something was done that git should be asked about. */
	gitRound: number;
	/** Somebody asked to take the newest change back; the panel shows first what that does. */
	undoNewest: boolean;
	/** Where somebody wants to fork. */
	fork?: ForkPlace | undefined;
	/** What waits for a person, as the server listed it last. */
	inbox?: z.infer<typeof inboxAnswer> | undefined;
	/** Conversations that are hidden and will be deleted when the undo time is over. */
	deleting: ReadonlySet<string>;
	set(patch: Partial<Omit<UiState, "set">>): void;
}

const UiContext = createContext<{ store: StoreApi<UiState>; events: PageEvents } | undefined>(undefined);

export function UiProvider({ children }: { children: ReactNode }) {
	const [ui] = useState(() => ({ store: createUiStore(), events: createPageEvents() }));
	return <UiContext value={ui}>{children}</UiContext>;
}

export function useUi<T>(select: (state: UiState) => T): T {
	return useStore(useUiContext().store, select);
}

export const useUiSet = () => useUi((state) => state.set);
/** Reads the state at the moment of the call, without a render when it changes. */
export const useReadUi = () => useUiContext().store.getState;
export const usePageEvents = () => useUiContext().events;

function useUiContext() {
	const ui = useContext(UiContext);
	if (ui === undefined) throw new ReferenceError("This part of the page needs a UiProvider above it.");
	return ui;
}

function createUiStore(): StoreApi<UiState> {
	return createStore<UiState>((set) => ({
		settingsSection: "general",
		gitRound: 0,
		undoNewest: false,
		deleting: new Set(),
		set: (patch) => set(patch),
	}));
}
