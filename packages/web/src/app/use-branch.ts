import { useEffect, useState } from "react";
import { api, type GitHead } from "../api/api.ts";
import { useApp } from "../state/use-page.tsx";

/** Where the repository of a conversation stands; asked again whenever something that ran there has ended. */
export function useBranch(conversationId: string, cwd: string): GitHead | undefined {
	const busy = useApp((state) => {
		const view = state.views[conversationId];
		return view !== undefined && (view.status === "streaming" || view.commands.length > 0);
	});
	const online = useApp((state) => state.connection.kind === "open");
	const [found, setFound] = useState<{ place: string; git: GitHead | undefined }>();
	const place = `${conversationId} ${cwd}`;
	useEffect(() => {
		if (busy || !online) return;
		const asked = new AbortController();
		api.git(conversationId, asked.signal).then(
			(git) => setFound({ place, git }),
			// No answer: then there is no branch to show, and nothing that a person has to do about it.
			() => {
				if (!asked.signal.aborted) setFound({ place, git: undefined });
			},
		);
		return () => asked.abort();
	}, [conversationId, place, busy, online]);
	return found?.place === place ? found.git : undefined;
}
