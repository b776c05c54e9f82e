import { useEffect } from "react";
import { useApp } from "../state/use-page.tsx";
import { pageTitle } from "./page-title.ts";

export function usePageTitle(): void {
	const title = useApp((state) => (state.openId === undefined ? undefined : state.conversations[state.openId]?.title));
	const asking = useApp((state) => Object.values(state.conversations).filter((conversation) => conversation.asking).length);
	useEffect(() => {
		document.title = pageTitle({ title, asking });
	}, [title, asking]);
}
