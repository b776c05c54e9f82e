import clsx from "clsx";
import { CircleAlert, CircleHelp } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { sidebarWords } from "./sidebar-messages.ts";
import type { LiveState } from "./unread.ts";

/** What a conversation does right now, in one sign; the word is there for those who cannot see it. */
export function StateMark({ state }: { state: LiveState }) {
	const t = useWords(sidebarWords);
	if (state === "quiet") return null;
	return (
		<span title={t(state)} className="flex shrink-0 items-center">
			{state === "asks" && <CircleHelp size={15} aria-hidden className="text-warn" />}
			{state === "failed" && <CircleAlert size={15} aria-hidden className="text-danger" />}
			{(state === "running" || state === "unread") && (
				<span aria-hidden className={clsx("size-2 rounded-full", state === "running" ? "pulse-dot bg-success" : "bg-accent")} />
			)}
			<span className="sr-only">({t(state)})</span>
		</span>
	);
}
