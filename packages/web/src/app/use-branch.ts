import type { GitState } from "@rightseat/protocol/http/git";
import { useEffect, useRef } from "react";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";

/** Not in the first load: nobody waits for the branch. */
const loadGit = () => import("../review/git-api.ts");

/** Where the repository of a conversation stands; asked again whenever something that ran there has ended. */
export function useBranch(conversationId: string, cwd: string): GitState | undefined {
	const busy = useApp((state) => {
		const view = state.views[conversationId];
		return view !== undefined && (view.status === "streaming" || view.commands.length > 0);
	});
	const online = useApp((state) => state.connection.kind === "open");
	const found = useUi((state) => state.git);
	const round = useUi((state) => state.gitRound);
	const setUi = useUiSet();
	const place = `${conversationId} ${cwd}`;
	/** The place that was asked about last: a new one is asked about at once, also in mid-turn. */
	const asked = useRef("");
	// biome-ignore lint/correctness/useExhaustiveDependencies: a new round asks again.
	useEffect(() => {
		if (!online || (busy && asked.current === place)) return;
		asked.current = place;
		const call = new AbortController();
		let answered = false;
		loadGit()
			.then(({ gitApi }) => gitApi.state(conversationId, call.signal))
			.then(
				(git) => {
					answered = true;
					setUi({ git: { place, state: git } });
				},
				// No answer: then there is no branch to show, and nothing that a person has to do about it.
				() => {
					if (!call.signal.aborted) setUi({ git: { place, state: undefined } });
				},
			);
		return () => {
			// A turn that begins meanwhile must not leave the header without a branch until its end.
			if (!answered) asked.current = "";
			call.abort();
		};
	}, [conversationId, place, busy, online, round, setUi]);
	return found?.place === place ? found.state : undefined;
}
