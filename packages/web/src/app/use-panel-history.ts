import { useEffect, useRef, useState } from "react";
import { useLocation } from "wouter";
import { useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { createPanelHistory, type Place } from "./panel-history.ts";

/** On a phone the panel covers the conversation, so Back closes it, and in the panel of files first the file. On a desk nothing is covered. */
export function usePanelHistory(wide: boolean): void {
	const [path] = useLocation();
	const panel = useApp((state) => state.panel);
	const shownFile = useUi((state) => state.file);
	const file = panel === "files" ? shownFile : undefined;
	const { show } = useActions();
	const setUi = useUiSet();
	const [entries] = useState(() => createPanelHistory(history));
	const isFresh = useRef(true);
	const [turnTo] = useState(() => (place: Place | undefined) => {
		if (place?.panel === "files") setUi({ file: place.file });
		show({ panel: place?.panel });
	});
	useEffect(() => {
		const listen = () => {
			const moved = entries.moved();
			if (moved !== "ours" && !wide) turnTo(moved.place);
		};
		addEventListener("popstate", listen);
		return () => removeEventListener("popstate", listen);
	}, [entries, wide, turnTo]);
	// biome-ignore lint/correctness/useExhaustiveDependencies: another conversation is another entry.
	useEffect(() => {
		// A page that was loaded again stands where it stood.
		const before = isFresh.current && panel === undefined && !wide ? entries.current() : undefined;
		isFresh.current = false;
		if (before !== undefined) turnTo(before);
		else entries.follow(wide || panel === undefined ? undefined : { panel, file });
	}, [entries, wide, panel, file, path, turnTo]);
}
