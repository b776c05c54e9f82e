import type { FolderSetupAnswer } from "@rightseat/protocol/http/folders";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { useCallback, useEffect, useRef, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { placeOf, setupApi } from "./setup-api.ts";

/** What the folder of a conversation brings, looked at again whenever something that ran there has ended; one look for entry, note and panel. */
export function useFolderSetup(conversation: Conversation): {
	setup: FolderSetupAnswer | undefined;
	problem: string;
	reload: () => Promise<void>;
} {
	const say = useRef(useFailureText());
	const setUi = useUiSet();
	const online = useApp((state) => state.connection.kind === "open");
	const busy = useApp((state) => state.views[conversation.id]?.status === "streaming");
	const known = useUi((state) => state.folderSetup);
	const [problem, setProblem] = useState("");
	const { path, host } = placeOf(conversation);
	const place = `${host ?? ""} ${path}`;
	const reload = useCallback(
		async (signal?: AbortSignal) => {
			try {
				setUi({ folderSetup: { place, answer: await setupApi.folder({ path, host }, signal) } });
				setProblem("");
			} catch (error) {
				if (signal?.aborted !== true) setProblem(say.current(error));
			}
		},
		[place, path, host, setUi],
	);
	useEffect(() => {
		if (!online || busy) return;
		const call = new AbortController();
		void reload(call.signal);
		return () => call.abort();
	}, [online, busy, reload]);
	return { setup: known?.place === place ? known.answer : undefined, problem, reload: () => reload() };
}
