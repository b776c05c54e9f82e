import { createContext, type ReactNode, useContext } from "react";
import { useStore } from "zustand";
import type { Page } from "../app/create-page.ts";
import type { AppActions } from "./app-actions.ts";
import type { AppState } from "./app-state.ts";

const PageContext = createContext<Pick<Page, "store" | "actions"> | undefined>(undefined);

export function PageProvider({ page, children }: { page: Pick<Page, "store" | "actions">; children: ReactNode }) {
	return <PageContext value={page}>{children}</PageContext>;
}

/** A part of the state; re-renders only when that part changes (compare by identity: select single fields). */
export function useApp<T>(select: (state: AppState) => T): T {
	return useStore(usePage().store, select);
}

/** Reads the state at the moment of the call, without a render when it changes. */
export function useReadApp(): () => AppState {
	return usePage().store.getState;
}

export function useActions(): AppActions {
	return usePage().actions;
}

function usePage(): Pick<Page, "store" | "actions"> {
	const page = useContext(PageContext);
	if (page === undefined) throw new ReferenceError("Components of the page need a PageProvider above them.");
	return page;
}
