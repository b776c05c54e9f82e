import { Clock } from "lucide-react";
import { useWords } from "../i18n/use-words.tsx";
import { useChange } from "../settings/use-change.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { fleetApi } from "./fleet-api.ts";
import { fleetWords } from "./fleet-messages.ts";

/** Prompts of the open conversation that wait on this server for their host; each can be dropped. */
export function HostOutbox() {
	const t = useWords(fleetWords);
	const { toast } = useActions();
	const change = useChange();
	const drop = (id: string) =>
		void change(async () => {
			if ((await fleetApi.drop(id)).mayHaveArrived) toast({ kind: "info", text: t("mayHaveArrived") });
		});
	const openId = useApp((state) => state.openId);
	const waiting = useApp((state) => state.waiting);
	const items = waiting.filter(({ conversationId }) => conversationId === openId);
	const hosts = useApp((state) => state.hosts);
	if (items.length === 0) return null;
	return (
		<ul aria-label={t("waitingPrompts")} className="mb-2 grid gap-1 px-1 text-xs">
			{items.map(({ id, prompt, state, host }) => (
				<li key={id} className="flex items-center gap-2 rounded-lg border bg-surface py-1 pr-1 pl-2.5">
					<Clock size={13} aria-hidden className="shrink-0 text-muted" />
					<span className="min-w-0 flex-1 truncate">
						<Visible text={prompt} />
					</span>
					<span className={state === "refused" ? "text-danger" : "text-muted"}>
						{t(state, { name: hosts.find((each) => each.id === host)?.name ?? host })}
					</span>
					{state === "asking" && (
						<Button small kind="primary" onClick={() => void change(() => fleetApi.confirm(id))}>
							{t("send")}
						</Button>
					)}
					<Button small kind="quiet" onClick={() => drop(id)}>
						{t("drop")}
					</Button>
				</li>
			))}
		</ul>
	);
}
