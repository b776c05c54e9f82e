import { createContext, type ReactNode, useContext, useState } from "react";
import { createStore, type StoreApi, useStore } from "zustand";

export type SettingsSection = "general" | "model" | "notifications" | "telegram" | "devices" | "security" | "activity" | "about";

/** Which of the smaller windows is open; nothing here is kept. */
export interface UiState {
	dialog: "new-conversation" | "shortcuts" | undefined;
	settingsSection: SettingsSection;
	/** Grows each time something asks for the search box, so that it takes the focus again. */
	searchRequest: { query: string; at: number } | undefined;
	modelPickerRequest: number;
	/** Model chosen before the conversation exists. */
	newModel: string | undefined;
	/** Conversations that are hidden and will be deleted when the undo time is over. */
	deleting: ReadonlySet<string>;
	deleteWithUndo(id: string): void;
	set(patch: Partial<Omit<UiState, "set">>): void;
}

const UiContext = createContext<StoreApi<UiState> | undefined>(undefined);

export function UiProvider({ children }: { children: ReactNode }) {
	const [store] = useState(createUiStore);
	return <UiContext value={store}>{children}</UiContext>;
}

export function useUi<T>(select: (state: UiState) => T): T {
	const store = useContext(UiContext);
	if (store === undefined) throw new ReferenceError("This part of the page needs a UiProvider above it.");
	return useStore(store, select);
}

export const useUiSet = () => useUi((state) => state.set);

function createUiStore(): StoreApi<UiState> {
	return createStore<UiState>((set) => ({
		dialog: undefined,
		settingsSection: "general",
		searchRequest: undefined,
		modelPickerRequest: 0,
		newModel: undefined,
		deleting: new Set(),
		deleteWithUndo: () => undefined,
		set: (patch) => set(patch),
	}));
}
