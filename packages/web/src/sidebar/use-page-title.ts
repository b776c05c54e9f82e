import { useEffect } from "react";
import { useUi } from "../state/ui-slice.tsx";
import { useApp } from "../state/use-page.tsx";
import { pageTitle } from "./page-title.ts";

export function usePageTitle(): void {
	const title = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]?.title));
	const waiting = useUi((state) => state.inbox?.items.length ?? 0);
	useEffect(() => {
		document.title = pageTitle({ title, waiting });
	}, [title, waiting]);
}
