import { useCallback, useEffect, useMemo, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { useActions } from "../../state/use-page.tsx";
import { commentWords } from "./comment-messages.ts";
import { createCommentStore, type LineComment, MAX_COMMENTS } from "./comment-store.ts";

export interface Comments {
	readonly all: readonly LineComment[];
	add(comment: Omit<LineComment, "id">): void;
	change(id: string, text: string): void;
	remove(id: string): void;
	clear(): void;
	/** What was cleared is there again, before what was written since. */
	restore(comments: readonly LineComment[]): void;
}

/** The comments of a conversation that wait on this device. */
export function useComments(conversationId: string): Comments {
	const t = useWords(commentWords);
	const { toast } = useActions();
	const store = useMemo(() => createCommentStore(localStorage, Date.now), []);
	const [all, setAll] = useState<readonly LineComment[]>([]);
	useEffect(() => {
		const read = () => setAll(store.list(conversationId));
		read();
		// Another tab wrote them.
		addEventListener("storage", read);
		return () => removeEventListener("storage", read);
	}, [store, conversationId]);
	const save = useCallback(
		(next: readonly LineComment[]) => {
			if (store.save(conversationId, next)) return setAll(store.list(conversationId));
			if (next.length > MAX_COMMENTS) toast({ kind: "error", text: t("tooMany", { count: MAX_COMMENTS }) });
			// Storage is full or closed: they last as long as the page.
			else setAll(next);
		},
		[store, conversationId, toast, t],
	);
	return useMemo(
		() => ({
			all,
			add: (comment) => save([...all, { ...comment, id: crypto.randomUUID() }]),
			change: (id, text) => save(all.map((comment) => (comment.id === id ? { ...comment, text } : comment))),
			remove: (id) => save(all.filter((comment) => comment.id !== id)),
			clear: () => save([]),
			restore: (comments) => save([...comments, ...store.list(conversationId)]),
		}),
		[all, save, store, conversationId],
	);
}
