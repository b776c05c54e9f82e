import { useEffect, useRef } from "react";
import { useActions, useApp } from "../../state/use-page.tsx";

/** Pages fetched at most to find a message; a page is 50 messages. */
const MAX_PAGES = 200;

/** Shows the message that a search result or a link asked for, fetching older pages until it is there. */
export function useReveal(conversationId: string, reveal: (key: string) => boolean): void {
	const wanted = useApp((state) => (state.reveal?.conversationId === conversationId ? state.reveal : undefined));
	const messages = useApp((state) => state.views[conversationId]?.messages);
	const more = useApp((state) => state.views[conversationId]?.olderCursor !== undefined);
	const { loadOlder } = useActions();
	const progress = useRef<{ at: number; pages: number; done: boolean }>({ at: 0, pages: 0, done: true });
	useEffect(() => {
		if (wanted === undefined || messages === undefined) return;
		if (progress.current.at !== wanted.at) progress.current = { at: wanted.at, pages: 0, done: false };
		const state = progress.current;
		if (state.done) return;
		const message = messages.find((item) => item.id === wanted.messageId);
		const key = message?.role === "user" ? (message.metadata.execId ?? message.id) : message?.id;
		if (key !== undefined && reveal(key)) {
			state.done = true;
		} else if (message === undefined && more && state.pages < MAX_PAGES) {
			state.pages += 1;
			void loadOlder(conversationId);
		} else if (message === undefined) state.done = true;
	}, [wanted, messages, more, reveal, loadOlder, conversationId]);
}
