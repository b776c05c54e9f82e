import { useEffect, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";

export type Fetched<T> = { kind: "loading" } | { kind: "ready"; value: T } | { kind: "failed"; message: string };

/** Asks when the key changes; an answer to an earlier question is dropped. */
export function useFetched<T>(key: string, ask: (signal: AbortSignal) => Promise<T>): Fetched<T> {
	const failureText = useFailureText();
	const [found, setFound] = useState<{ key: string; fetched: Fetched<T> }>();
	// biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is asked for.
	useEffect(() => {
		const call = new AbortController();
		ask(call.signal).then(
			(value) => setFound({ key, fetched: { kind: "ready", value } }),
			(error: unknown) => {
				if (!call.signal.aborted) setFound({ key, fetched: { kind: "failed", message: failureText(error) } });
			},
		);
		return () => call.abort();
	}, [key]);
	return found?.key === key ? found.fetched : { kind: "loading" };
}
