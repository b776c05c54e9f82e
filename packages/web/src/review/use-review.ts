import type { Change } from "@rightseat/protocol/model/change";
import { useCallback, useEffect, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useReadUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions } from "../state/use-page.tsx";

export type Loaded<T> = { kind: "loading" } | { kind: "ready"; value: T } | { kind: "failed"; message: string };

/** What `load` answers for `key`; asked again when the key changes, on `reload`, and with each change of the conversation. What is there stays until the new answer comes. */
export function useLoaded<T>(
	key: string,
	load: (signal: AbortSignal) => Promise<T>,
	round: number,
): { loaded: Loaded<T>; reload: () => void } {
	const say = useFailureText();
	const [found, setFound] = useState<{ key: string; loaded: Loaded<T> }>();
	const [again, setAgain] = useState(0);
	// biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for all that `load` reads; the rounds ask again.
	useEffect(() => {
		const call = new AbortController();
		load(call.signal).then(
			(value) => {
				if (!call.signal.aborted) setFound({ key, loaded: { kind: "ready", value } });
			},
			(error: unknown) => {
				if (!call.signal.aborted) setFound({ key, loaded: { kind: "failed", message: say(error) } });
			},
		);
		return () => call.abort();
	}, [key, round, again]);
	return {
		loaded: found?.key === key ? found.loaded : { kind: "loading" },
		reload: useCallback(() => setAgain((count) => count + 1), []),
	};
}

/** Counts up whenever files of this conversation changed, and when a connection opens: something may have happened meanwhile. */
export function useChangeRounds(conversationId: string): number {
	const { onFrame, onOpen } = useActions();
	const setUi = useUiSet();
	const readUi = useReadUi();
	const [round, setRound] = useState(0);
	useEffect(() => {
		const next = () => {
			setRound((count) => count + 1);
			setUi({ gitRound: readUi().gitRound + 1 });
		};
		const stopOpen = onOpen(next);
		const stopFrames = onFrame((frame) => {
			if (frame.type === "copilot:changes" && frame.data.conversationId === conversationId) next();
		});
		return () => {
			stopOpen();
			stopFrames();
		};
	}, [conversationId, onFrame, onOpen, setUi, readUi]);
	return round;
}

/** The newest change that a person could take back. */
export const newestUndoable = (changes: readonly Change[]): Change | undefined =>
	changes.find(
		({ kind, undone, files, unfinished }) => (kind === "turn" || kind === "command") && !undone && files > 0 && unfinished !== true,
	);
