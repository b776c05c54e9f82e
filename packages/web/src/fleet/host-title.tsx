import type { HostView } from "@rightseat/protocol/http/fleet";
import { useWords } from "../i18n/use-words.tsx";
import { fleetWords } from "./fleet-messages.ts";

/** A host and how it is, above its conversations. */
export function HostTitle({ host: { name, self, state } }: { host: HostView }) {
	const t = useWords(fleetWords);
	return (
		<span className="flex items-center gap-1.5">
			<span aria-hidden className={state === "online" ? "size-1.5 rounded-full bg-success" : "size-1.5 rounded-full bg-line-strong"} />
			<span className="min-w-0 truncate">{name}</span>
			<span className="shrink-0 font-normal">({t(self ? "thisHost" : state)})</span>
		</span>
	);
}
