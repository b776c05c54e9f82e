import type { HostView } from "@rightseat/protocol/http/fleet";
import { useEffect, useState } from "react";
import { useLanguage, useWords } from "../i18n/use-words.tsx";
import { ConfirmButton } from "../settings/confirm-button.tsx";
import { Part } from "../settings/parts.tsx";
import { useChange } from "../settings/use-change.ts";
import { useApp } from "../state/use-page.tsx";
import { fleetApi } from "./fleet-api.ts";
import { fleetWords } from "./fleet-messages.ts";
import { useFleetProblem } from "./use-fleet-problem.ts";

/** A clock that is off by less disturbs nobody. */
const CLOCK_MS = 60_000;

/** The hosts of the fleet, in the settings. */
export function FleetSection() {
	const t = useWords(fleetWords);
	const language = useLanguage();
	const change = useChange();
	const hosts = useApp((state) => state.hosts);
	const problem = useFleetProblem();
	const clocks = useClocks(hosts);
	const time = (iso: string) => new Date(iso).toLocaleString(language, { dateStyle: "medium", timeStyle: "short" });
	function clockOf(id: string): string[] {
		const ahead = clocks.get(id) ?? 0;
		if (Math.abs(ahead) < CLOCK_MS) return [];
		const minutes = Math.round(Math.abs(ahead) / 60_000);
		const span = minutes < 120 ? t("minutes", { count: minutes }) : t("hours", { count: Math.round(minutes / 60) });
		return [t(ahead > 0 ? "clockAhead" : "clockBehind", { span })];
	}
	return (
		<Part title={t("hosts")} hint={t("hostsHint")}>
			{problem !== undefined && (
				<p role="note" className="mb-2 rounded-lg border border-warn px-3 py-2 text-sm wrap-anywhere">
					{problem.text}
				</p>
			)}
			<ul aria-label={t("hosts")} className="divide-y">
				{hosts.map(({ id, name, self, state, lastSeen, version }) => (
					<li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-2 py-2 text-sm">
						<span aria-hidden className={`size-2 shrink-0 rounded-full ${state === "online" ? "bg-success" : "bg-line-strong"}`} />
						<span className="min-w-52 flex-1">
							<span className="flex flex-wrap items-center gap-x-2 wrap-anywhere">
								{name}
								{self && <span className="whitespace-nowrap rounded bg-accent-soft px-1.5 text-accent text-xs">{t("thisHost")}</span>}
							</span>
							<span className="block wrap-anywhere text-muted text-xs">
								{[
									t(state),
									...(state === "offline" && lastSeen !== null ? [t("lastSeen", { time: time(lastSeen) })] : []),
									...(version === "" ? [] : [t("version", { version })]),
									...clockOf(id),
									id,
								].join(" · ")}
							</span>
						</span>
						{!self && (
							<ConfirmButton
								small
								label={t("removeHost")}
								question={t("removeAsk", { name })}
								confirm={t("removeHost")}
								name={t("removeNamed", { name })}
								onConfirm={async () => void (await change(() => fleetApi.remove(id)))}
							/>
						)}
					</li>
				))}
			</ul>
		</Part>
	);
}

/** How far clocks of other hosts are ahead; told only where somebody looks. */
function useClocks(hosts: readonly HostView[]): ReadonlyMap<string, number> {
	const [clocks, setClocks] = useState<ReadonlyMap<string, number>>(new Map());
	useEffect(() => {
		// Told anew, they may stand differently.
		if (hosts.length === 0) return undefined;
		let isOver = false;
		fleetApi.hosts().then(
			(all) => isOver || setClocks(new Map(all.map(({ id, clockAheadMs = 0 }) => [id, clockAheadMs]))),
			() => undefined,
		);
		return () => {
			isOver = true;
		};
	}, [hosts]);
	return clocks;
}
