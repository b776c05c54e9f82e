import { useCallback } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { useActions } from "../state/use-page.tsx";
import { settingsWords } from "./settings-messages.ts";

/** Runs something that may fail and says so; true when it worked. */
export function useChange(): (run: () => Promise<unknown>) => Promise<boolean> {
	const t = useWords(settingsWords);
	const say = useFailureText();
	const { toast } = useActions();
	return useCallback(
		async (run) => {
			try {
				await run();
				return true;
			} catch (error) {
				toast({ kind: "error", text: t("failed", { message: say(error) }) });
				return false;
			}
		},
		[t, toast, say],
	);
}
