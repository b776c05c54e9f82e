import type { OutboxItem } from "@rightseat/protocol/http/fleet";
import { Clock } from "lucide-react";
import { type FormEvent, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { useChange } from "../settings/use-change.ts";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Visible } from "../ui/visible.tsx";
import { fleetApi } from "./fleet-api.ts";
import { fleetWords } from "./fleet-messages.ts";

/** Prompts of the open conversation that wait on this server for their host; each can be changed until it leaves, and dropped. */
export function HostOutbox() {
	const t = useWords(fleetWords);
	const openId = useApp((state) => state.openId);
	const waiting = useApp((state) => state.waiting);
	const items = waiting.filter(({ conversationId }) => conversationId === openId);
	if (items.length === 0) return null;
	return (
		<ul aria-label={t("waitingPrompts")} className="mb-2 grid grid-cols-1 gap-1 px-1 text-xs">
			{items.map((item) => (
				<Waiting key={item.id} item={item} />
			))}
		</ul>
	);
}

function Waiting({ item: { id, prompt, state, host, mayHaveArrived } }: { item: OutboxItem }) {
	const t = useWords(fleetWords);
	const { toast } = useActions();
	const change = useChange();
	const name = useApp((page) => page.hosts.find((each) => each.id === host)?.name ?? host);
	const [draft, setDraft] = useState<string>();
	const drop = () =>
		change(async () => {
			if ((await fleetApi.drop(id)).mayHaveArrived) toast({ kind: "info", text: t("mayHaveArrived") });
		});
	async function save(event: FormEvent): Promise<void> {
		event.preventDefault();
		if (draft === undefined || draft.trim() === "") return;
		if (await change(() => fleetApi.edit(id, draft))) setDraft(undefined);
	}
	if (draft !== undefined) {
		return (
			<li className="rounded-lg border bg-surface p-1.5">
				<form onSubmit={(event) => void save(event)}>
					<textarea
						// biome-ignore lint/a11y/noAutofocus: it takes the place of the button that was pressed
						autoFocus
						aria-label={t("editPrompt")}
						value={draft}
						rows={3}
						onChange={(event) => setDraft(event.target.value)}
						onKeyDown={(event) => event.key === "Escape" && setDraft(undefined)}
						className="w-full resize-y rounded-md border bg-transparent p-2 text-sm"
					/>
					<div className="flex justify-end gap-1.5 pt-1">
						<Button small kind="quiet" onClick={() => setDraft(undefined)}>
							{t("cancel")}
						</Button>
						<Button small kind="primary" type="submit" disabled={draft.trim() === ""}>
							{t("save")}
						</Button>
					</div>
				</form>
			</li>
		);
	}
	return (
		<li className="flex flex-wrap items-center gap-x-2 rounded-lg border bg-surface py-1 pr-1 pl-2.5">
			<Clock size={13} aria-hidden className="shrink-0 text-muted" />
			<span className="min-w-32 flex-1 truncate">
				<Visible text={prompt} />
			</span>
			<span className={state === "refused" ? "text-danger" : "text-muted"}>{t(state, { name })}</span>
			<span className="ml-auto flex gap-1">
				{state === "asking" && (
					<Button small kind="primary" onClick={() => void change(() => fleetApi.confirm(id))}>
						{t("send")}
					</Button>
				)}
				{!mayHaveArrived && state !== "sending" && (
					<Button small kind="quiet" onClick={() => setDraft(prompt)}>
						{t("edit")}
					</Button>
				)}
				<Button small kind="quiet" onClick={() => void drop()}>
					{t("drop")}
				</Button>
			</span>
		</li>
	);
}
