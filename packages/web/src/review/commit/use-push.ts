import { useCallback } from "react";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useReadUi, useUiSet } from "../../state/ui-slice.tsx";
import { useActions } from "../../state/use-page.tsx";
import { gitApi } from "../git-api.ts";
import { commitWords } from "./commit-messages.ts";

/** Pushes the branch and says where it went, or why it did not. */
export function usePush(conversationId: string): () => Promise<void> {
	const t = useWords(commitWords);
	const say = useFailureText();
	const { toast, dismissToast } = useActions();
	const setUi = useUiSet();
	const readUi = useReadUi();
	return useCallback(async () => {
		const running = toast({ kind: "info", text: t("pushing"), sticky: true });
		try {
			const { branch, remote } = await gitApi.push(conversationId, () => undefined);
			toast({ kind: "info", text: t("pushed", { branch, remote }) });
			setUi({ gitRound: readUi().gitRound + 1 });
		} catch (error) {
			toast({ kind: "error", text: t("failed", { message: say(error) }) });
		} finally {
			dismissToast(running);
		}
	}, [conversationId, t, say, toast, dismissToast, setUi, readUi]);
}
