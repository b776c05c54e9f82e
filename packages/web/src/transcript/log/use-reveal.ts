import { useEffect, useRef } from "react";
import { useActions, useApp } from "../../state/use-page.tsx";

/** Pages fetched at most to find a message; a page is 50 messages. */
const MAX_PAGES = 200;

/** Shows the message that a search result or a link asked for, fetching older pages until it is there. */
export function useReveal(conversationId: string, reveal: (key: string) => boolean): void {
	const wanted = useApp((state) => (state.reveal?.conversationId === conversationId ? state.reveal : undefined));
	const messages = useApp((state) => state.views[conversationId]?.messages);
	const more = useApp((state) => state.views[conversationId]?.olderCursor !== undefined);
	const { loadOlder, dismissReveal } = useActions();
	const progress = useRef({ wanted, pages: 0 });
	useEffect(() => {
		if (wanted === undefined || messages === undefined) return;
		if (progress.current.wanted !== wanted) progress.current = { wanted, pages: 0 };
		const state = progress.current;
		const message = messages.find((item) => item.id === wanted.messageId);
		const key = message?.role === "user" ? (message.metadata.execId ?? message.id) : message?.id;
		if (key !== undefined && reveal(key)) {
			dismissReveal();
		} else if (message === undefined && more && state.pages < MAX_PAGES) {
			state.pages += 1;
			void loadOlder(conversationId);
		} else if (message === undefined) dismissReveal();
	}, [wanted, messages, more, reveal, loadOlder, dismissReveal, conversationId]);
}
