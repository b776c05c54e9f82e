import type { ConversationSetup } from "@rightseat/protocol/http/setup";
import type { Conversation } from "@rightseat/protocol/model/conversation";
import { useCallback, useEffect, useRef, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useUi } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { conversationSetupApi } from "./conversation-setup-api.ts";

/** While a server is being started it is asked how that goes. */
const ASK_AGAIN_MS = 2_000;

/** What the agent of a conversation was given: asked when the panel opens, a turn begins or ends, trust or a switch changes, and while something starts. */
export function useConversationSetup({ id, mcp }: Conversation): {
	given: ConversationSetup | undefined;
	/** Runs something that may fail, says so, and asks again. */
	change: (run: () => Promise<unknown>) => Promise<boolean>;
	problem: string;
} {
	const say = useRef(useFailureText());
	const online = useApp((state) => state.connection.kind === "open");
	const status = useApp((state) => state.views[id]?.status);
	const trusted = useUi((state) => state.folderSetup?.answer.trusted);
	const [given, setGiven] = useState<ConversationSetup>();
	const [problem, setProblem] = useState("");
	const reload = useCallback(
		async (signal?: AbortSignal) => {
			try {
				const answer = await conversationSetupApi.get(id, signal);
				if (signal?.aborted !== true) setGiven(answer);
			} catch (error) {
				if (signal?.aborted !== true) setProblem(say.current(error));
			}
		},
		[id],
	);
	const isStarting = given?.mcp.some(({ state, waiting }) => waiting === true || (state === "pending" && given.open)) === true;
	// biome-ignore lint/correctness/useExhaustiveDependencies: each of these may have changed what the agent has.
	useEffect(() => {
		if (!online) return;
		const call = new AbortController();
		void reload(call.signal);
		const timer = isStarting ? setInterval(() => void reload(call.signal), ASK_AGAIN_MS) : undefined;
		return () => {
			call.abort();
			clearInterval(timer);
		};
	}, [online, status, trusted, mcp, isStarting, reload]);
	const change = useCallback(
		async (run: () => Promise<unknown>) => {
			try {
				await run();
				setProblem("");
				return true;
			} catch (error) {
				setProblem(say.current(error));
				return false;
			} finally {
				await reload();
			}
		},
		[reload],
	);
	return { given, change, problem };
}
