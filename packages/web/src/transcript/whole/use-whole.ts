import { useEffect, useRef, useState } from "react";
import { ApiError } from "../../api/request.ts";
import { useErrorText } from "../../i18n/use-error-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useApp } from "../../state/use-page.tsx";
import type { WholeMemory } from "./whole-memory.ts";
import { wholeWords } from "./whole-messages.ts";

/** What is known of something that the page got only in part. */
export type Whole<T> = { kind: "part" } | { kind: "loading" } | { kind: "failed"; message: string } | { kind: "whole"; value: T };

export interface WholeHandle<T> {
	whole: Whole<T>;
	/** Fetches it again after a failure. */
	retry(): void;
}

const PART = { kind: "part" } as const;

/**
 * Fetches the whole once `wanted`, and again by itself when the connection is back after a failure. Another `key` is another thing: what was
 * fetched for the old one is not shown for it. What `memory` has is there at once, wanted or not.
 */
export function useWhole<T>(options: {
	key: string;
	wanted: boolean;
	memory: WholeMemory<T> | undefined;
	load: (signal: AbortSignal) => Promise<T>;
}): WholeHandle<T> {
	const { key, wanted, memory } = options;
	const t = useWords(wholeWords);
	const online = useApp((state) => state.connection.kind === "open");
	const [attempt, setAttempt] = useState(0);
	const [known, setKnown] = useState<{ key: string; whole: Whole<T> }>({ key, whole: PART });
	const kept = memory?.get(key);
	const whole: Whole<T> = kept !== undefined ? { kind: "whole", value: kept } : known.key === key ? known.whole : PART;
	const say = useErrorText();
	const newest = useRef({ load: options.load, t, say });
	newest.current = { load: options.load, t, say };
	const done = whole.kind === "whole";

	// biome-ignore lint/correctness/useExhaustiveDependencies: a new attempt and a connection that is back fetch again
	useEffect(() => {
		if (!wanted || done) return;
		const aborted = new AbortController();
		function settle(result: Whole<T>): void {
			if (!aborted.signal.aborted) setKnown({ key, whole: result });
		}
		settle({ kind: "loading" });
		newest.current.load(aborted.signal).then(
			(value) => {
				memory?.keep(key, value);
				settle({ kind: "whole", value });
			},
			(error: unknown) =>
				settle({ kind: "failed", message: error instanceof ApiError ? newest.current.say(error) : newest.current.t("unreadable") }),
		);
		return () => aborted.abort();
	}, [key, wanted, done, attempt, online, memory]);

	return { whole, retry: () => setAttempt((before) => before + 1) };
}
