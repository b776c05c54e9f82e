import { Monitor } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { useApp } from "../state/use-page.tsx";
import { Select } from "../ui/select.tsx";
import { fleetWords } from "./fleet-messages.ts";
import { HostTitle } from "./host-title.tsx";

/** On which host a conversation is to live; only where there is more than one. Undefined is this one. */
export function HostSelect({ value, onChange }: { value: string | undefined; onChange: (host: string | undefined) => void }) {
	const t = useWords(fleetWords);
	const hosts = useApp((state) => state.hosts);
	const self = hosts.find((host) => host.self)?.id ?? "";
	if (hosts.length < 2) return null;
	const shown = hosts.find(({ id }) => id === (value ?? self));
	return (
		<div>
			<span className="block pb-1 font-medium text-sm">{t("host")}</span>
			<Select
				wide
				label={t("host")}
				value={value ?? self}
				options={hosts.filter(({ state }) => state === "online").map((host) => ({ id: host.id, content: <HostTitle host={host} /> }))}
				onChange={(id) => {
					onChange(id === self ? undefined : id);
					return undefined;
				}}
			>
				<Monitor size={15} aria-hidden className="shrink-0" />
				<span className="min-w-0 flex-1 truncate text-left">{shown?.name}</span>
			</Select>
		</div>
	);
}
