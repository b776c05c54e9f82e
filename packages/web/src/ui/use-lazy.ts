import { useEffect, useState } from "react";

const IDLE_WITHIN_MS = 300;

/**
 * What `load` brings, as soon as it is there: fetched now, or when the page has nothing better to do. A failure is thrown once it is needed.
 * `load` must be the same function at every render. Not React's `lazy`: where it has drawn a fallback once, React holds the
 * finished part back for 300 ms.
 */
export function useLazy<T>(load: () => Promise<T>, when: "now" | "idle"): T | undefined {
	const [found, setFound] = useState<{ code: T } | { error: unknown }>();
	useEffect(() => {
		if (found !== undefined) return;
		let listening = true;
		const fetch = () =>
			void load().then(
				(code) => listening && setFound({ code }),
				(error: unknown) => listening && setFound({ error }),
			);
		const cancel = when === "now" ? fetch() : whenIdle(fetch);
		return () => {
			listening = false;
			cancel?.();
		};
	}, [load, when, found]);
	if (found === undefined) return undefined;
	if ("code" in found) return found.code;
	if (when === "now") throw found.error;
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
