import { CloudOff } from "lucide-react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { openView } from "../state/open-view.ts";
import { useApp } from "../state/use-page.tsx";
import { fleetWords } from "./fleet-messages.ts";

/** Says that the host of the open conversation is away, and how old what is shown is. */
export function HostNote() {
	const t = useWords(fleetWords);
	const language = useLanguage();
	const host = useApp(({ openId, conversations, hosts }) => {
		const of = openId === undefined ? undefined : conversations[openId]?.host?.id;
		return hosts.find(({ id }) => id === of);
	});
	const copyOf = useApp((state) => openView(state)?.copyOf);
	if (host === undefined || host.self || host.state === "online") return null;
	const time = copyOf === undefined ? "" : new Date(copyOf).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
	return (
		<p role="note" className="mb-2 flex items-center gap-2 px-1 text-muted text-xs">
			<CloudOff size={14} aria-hidden className="shrink-0" />
			{copyOf === undefined ? t("hostOffline", { name: host.name }) : t("copyOf", { name: host.name, time })}
		</p>
	);
}
