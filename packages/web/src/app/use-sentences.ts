import { useEffect } from "react";
import { useActions, useApp } from "../state/use-page.tsx";

/** Brings the words for the server's errors when there is a server to get them from: offline the attempt would look like a part that an update removed. */
export function useSentences(): void {
	const missing = useApp((state) => state.connection.kind === "open" && state.sentences === undefined);
	const { loadSentences } = useActions();
	useEffect(() => {
		if (missing) void loadSentences();
	}, [missing, loadSentences]);
}
