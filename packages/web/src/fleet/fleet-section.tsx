import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { Part } from "../settings/parts.tsx";
import { useApp } from "../state/use-page.tsx";
import { fleetWords } from "./fleet-messages.ts";

/** The hosts of the fleet, in the settings. */
export function FleetSection() {
	const t = useWords(fleetWords);
	const language = useLanguage();
	const hosts = useApp((state) => state.hosts);
	const time = (iso: string) => new Date(iso).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
	return (
		<Part title={t("hosts")} hint={t("hostsHint")}>
			<ul aria-label={t("hosts")}>
				{hosts.map(({ id, name, self, state, lastSeen, version }) => (
					<li key={id} className="py-1.5 text-sm">
						<span className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
							{name}
							{self && <span className="whitespace-nowrap rounded bg-accent-soft px-1.5 text-accent text-xs">{t("thisHost")}</span>}
						</span>
						<span className="block wrap-anywhere text-muted text-xs">
							{[
								t(state),
								...(state === "offline" && lastSeen !== null ? [t("lastSeen", { time: time(lastSeen) })] : []),
								...(version === "" ? [] : [t("version", { version })]),
								id,
							].join(" · ")}
						</span>
					</li>
				))}
			</ul>
		</Part>
	);
}
