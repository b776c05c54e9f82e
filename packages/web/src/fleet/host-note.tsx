import { CloudOff } from "lucide-react";
import type { ReactNode } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { openView } from "../state/open-view.ts";
import { useApp } from "../state/use-page.tsx";
import { fleetWords } from "./fleet-messages.ts";
import { useFleetProblem } from "./use-fleet-problem.ts";

/** Says what keeps the other hosts away: the fleet as a whole, or the host of the open conversation, and how old what is shown is. */
export function HostNote() {
	const t = useWords(fleetWords);
	const language = useLanguage();
	const openId = useApp((state) => state.openId);
	const host = useApp(({ conversations, hosts }) => {
		const of = openId === undefined ? undefined : conversations[openId]?.host?.id;
		return hosts.find(({ id }) => id === of);
	});
	const copyOf = useApp((state) => openView(state)?.copyOf);
	const isEmpty = useApp((state) => openView(state)?.epoch === undefined);
	const problem = useFleetProblem();
	const isAway = host !== undefined && !host.self && host.state === "offline";
	const time = copyOf === undefined ? "" : new Date(copyOf).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
	const away = copyOf !== undefined ? "copyOf" : isEmpty ? "noCopy" : "hostOffline";
	return (
		<>
			{problem !== undefined && <Note>{problem.text}</Note>}
			{isAway && <Note>{t(away, { name: host.name, time })}</Note>}
		</>
	);
}

const Note = ({ children }: { children: ReactNode }) => (
	<p role="note" className="mb-2 flex items-center gap-2 px-1 text-muted text-xs">
		<CloudOff size={14} aria-hidden className="shrink-0" />
		<span className="min-w-0 wrap-anywhere">{children}</span>
	</p>
);
