import { useEffect, useRef } from "react";
import { browserClock } from "../connection/clock.ts";
import { useWords } from "../i18n/use-words.tsx";
import { usePageEvents, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { createPendingDeletes } from "./pending-deletes.ts";
import { sidebarWords } from "./sidebar-messages.ts";

/** Deletes what it is asked to, with time to undo, for as long as the page is open. */
export function useDeleteWithUndo(): void {
	const t = useWords(sidebarWords);
	const actions = useActions();
	const setUi = useUiSet();
	const { deleteConversation } = usePageEvents();
	const conversations = useApp((state) => state.conversations);
	const openId = useApp((state) => state.openId);
	// What waits for its undo time must outlive every change of the list, so the effect reads the newest values from here.
	const latest = useRef({ t, conversations, openId });
	latest.current = { t, conversations, openId };

	useEffect(() => {
		const toasts = new Map<string, string>();
		const closeToast = (id: string) => {
			const toast = toasts.get(id);
			if (toast !== undefined) actions.dismissToast(toast);
			toasts.delete(id);
		};
		const deletes = createPendingDeletes({
			async execute(id) {
				closeToast(id);
				await actions.deleteConversation(id);
			},
			onChange: (deleting) => setUi({ deleting }),
			onFailure: (id, error) => console.warn(`Conversation ${id} was not deleted.`, error),
			setTimer: (run, ms) => browserClock.after(ms, run),
		});
		const deleteWithUndo = (id: string) => {
			const wasOpen = latest.current.openId === id;
			const title = latest.current.conversations[id]?.title || latest.current.t("untitled");
			deletes.schedule(id);
			if (wasOpen) actions.openConversation(undefined);
			const undo = () => {
				toasts.delete(id);
				if (deletes.undo(id) && wasOpen) actions.openConversation(id);
			};
			const text = latest.current.t("deleted", { title });
			toasts.set(id, actions.toast({ kind: "info", text, sticky: true, action: { label: latest.current.t("undo"), run: undo } }));
		};
		const stopListening = deleteConversation.listen(deleteWithUndo);
		return () => {
			stopListening();
			deletes.close();
		};
	}, [actions, setUi, deleteConversation]);
}
