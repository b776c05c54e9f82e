import { useCallback } from "react";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import type { UndoRequest } from "../../state/review.ts";
import { useActions } from "../../state/use-page.tsx";
import { reviewApi } from "../review-api.ts";
import { undoWords } from "./undo-messages.ts";

/** Takes back or brings back and says what became of it, with a button for the way back. */
export function useUndo(conversationId: string): (request: UndoRequest) => Promise<void> {
	const t = useWords(undoWords);
	const say = useFailureText();
	const { toast } = useActions();
	return useCallback(
		async function run(request): Promise<void> {
			try {
				const { files, changeId } = await reviewApi.undo(conversationId, request, false);
				const skipped = files.filter(({ result }) => result === "skipped").length;
				const done = t(request.kind === "undo" ? "undone" : "redone", { count: files.length - skipped });
				const text = skipped === 0 ? done : t("withSkipped", { done, count: skipped });
				const back: UndoRequest["kind"] = request.kind === "undo" ? "redo" : "undo";
				// Whichever it was, its own change is the one to go back over.
				const action =
					changeId === undefined ? {} : { action: { label: t(back), run: () => void run({ kind: back, changeIds: [changeId] }) } };
				toast({ kind: "info", text, ...action });
			} catch (error) {
				toast({ kind: "error", text: t("failed", { message: say(error) }) });
			}
		},
		[conversationId, t, say, toast],
	);
}
