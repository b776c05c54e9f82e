import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { fleetWords } from "./fleet-messages.ts";

/** Below what was gathered from all hosts: whose part is not in it. */
export function OfflineHosts() {
	const t = useWords(fleetWords);
	const hosts = useApp((state) => state.hosts);
	const names = hosts.flatMap(({ name, self, state }) => (!self && state === "offline" ? [name] : []));
	if (names.length === 0) return null;
	return <p className="pt-2 text-muted text-sm">{t("notAsked", { names: names.join(", ") })}</p>;
}
