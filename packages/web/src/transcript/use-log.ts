import { useEffect, useState } from "react";
import type { ConversationLog } from "./conversation-log.tsx";

const IDLE_WITHIN_MS = 300;

/** Reading Markdown is a third of the page's code; the box to write in does not wait for it. */
export const loadLog = () => import("./conversation-log.tsx");

/**
 * The log, as soon as its code is there: fetched at once when it is needed, else when the page has nothing better to do.
 * Not `lazy`: where React has drawn a fallback once, it holds the finished part back for 300 ms.
 */
export function useLog(needed: boolean): typeof ConversationLog | undefined {
	const [found, setFound] = useState<{ Log: typeof ConversationLog } | { error: unknown }>();
	useEffect(() => {
		if (found !== undefined) return;
		let listening = true;
		const load = () =>
			void loadLog().then(
				(module) => listening && setFound({ Log: module.ConversationLog }),
				(error: unknown) => listening && setFound({ error }),
			);
		const cancel = needed ? load() : whenIdle(load);
		return () => {
			listening = false;
			cancel?.();
		};
	}, [needed, found]);
	if (found === undefined) return undefined;
	if ("Log" in found) return found.Log;
	if (needed) throw found.error;
	return undefined;
}

function whenIdle(run: () => void): () => void {
	if ("requestIdleCallback" in window) {
		const handle = requestIdleCallback(run, { timeout: IDLE_WITHIN_MS });
		return () => cancelIdleCallback(handle);
	}
	const timer = setTimeout(run, IDLE_WITHIN_MS);
	return () => clearTimeout(timer);
}
