import type { Change } from "@rightseat/protocol/model/change";
import { type FormEvent, useEffect, useMemo, useState } from "react";
import { useFailureText } from "../i18n/use-failure-text.ts";
import { useWords } from "../i18n/use-words.tsx";
import { reviewApi } from "../review/review-api.ts";
import { UndoDialog } from "../review/undo/undo-dialog.tsx";
import { type ForkPlace, useUi, useUiSet } from "../state/ui-slice.tsx";
import { useActions, useApp } from "../state/use-page.tsx";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { forkApi } from "./fork-api.ts";
import { forkWords } from "./fork-messages.ts";

/** Asks with what a fork goes on, and what becomes of the files that were changed since. */
export function ForkDialog() {
	const place = useUi((state) => state.fork);
	return place === undefined ? null : <Asked key={place.messageId} place={place} />;
}

function Asked({ place }: { place: ForkPlace }) {
	const { conversationId, messageId, text } = place;
	const isEdit = text !== undefined;
	const t = useWords(forkWords);
	const say = useFailureText();
	const setUi = useUiSet();
	const { openConversation, toast } = useActions();
	const messages = useApp((state) => state.views[conversationId]?.messages);
	const at = messages?.findIndex(({ id }) => id === messageId) ?? -1;
	const next = messages?.[at + 1]?.id;
	const [prompt, setPrompt] = useState(text ?? "");
	const [busy, setBusy] = useState(false);
	const [clientMessageId] = useState(() => crypto.randomUUID());
	const close = () => setUi({ fork: undefined });

	const submit = async (event: FormEvent) => {
		event.preventDefault();
		setBusy(true);
		const before = isEdit ? messageId : next;
		try {
			const fork = await forkApi.fork(conversationId, {
				...(before === undefined ? {} : { beforeMessageId: before }),
				...(prompt.trim() === "" ? {} : { prompt }),
				clientMessageId,
			});
			close();
			openConversation(fork.id);
		} catch (error) {
			setBusy(false);
			toast({ kind: "error", text: t("failed", { message: say(error) }) });
		}
	};
	return (
		<Dialog open onClose={close} title={t(isEdit ? "editTitle" : "forkTitle")}>
			<form onSubmit={(event) => void submit(event)} className="flex min-h-0 flex-col gap-3 overflow-y-auto p-5">
				<p className="text-muted text-sm">{t(isEdit ? "editHint" : "forkHint")}</p>
				<textarea
					data-first-focus
					aria-label={t("prompt")}
					placeholder={isEdit ? undefined : t("promptHint")}
					rows={isEdit ? 6 : 3}
					className="w-full resize-y rounded-lg border bg-transparent p-3 text-sm"
					value={prompt}
					onChange={(event) => setPrompt(event.target.value)}
				/>
				<ChangedSince conversationId={conversationId} since={messages?.[isEdit ? at : at + 1]?.createdAt} />
				<div className="flex justify-end gap-2">
					<Button onClick={close}>{t("cancel")}</Button>
					<Button type="submit" kind="primary" disabled={busy || (isEdit && prompt.trim() === "")}>
						{t("fork")}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

/** What was changed in files since then, with the way to take it back, shown first. */
function ChangedSince({ conversationId, since }: { conversationId: string; since: string | undefined }) {
	const t = useWords(forkWords);
	const [changes, setChanges] = useState<readonly Change[]>([]);
	const [undoing, setUndoing] = useState(false);
	useEffect(() => {
		if (since === undefined || undoing) return;
		const asked = new AbortController();
		// Without the list nothing is offered; the panel of changes has it as well.
		reviewApi.list(conversationId, asked.signal).then(
			({ changes: found }) => setChanges(found.filter((change) => isToUndo(change) && change.at >= since)),
			() => setChanges([]),
		);
		return () => asked.abort();
	}, [conversationId, since, undoing]);
	const request = useMemo(() => ({ kind: "undo" as const, changeIds: changes.map(({ id }) => id) }), [changes]);
	if (changes.length === 0) return null;
	return (
		<div className="flex items-center gap-3 rounded-lg border px-3 py-2 text-sm">
			<p className="min-w-0 flex-1">
				{t("changed", { count: changes.length })}
				<span className="block text-muted text-xs">{t("changedHint")}</span>
			</p>
			<Button small onClick={() => setUndoing(true)}>
				{t("undoFirst")}
			</Button>
			{undoing && <UndoDialog conversationId={conversationId} request={request} onClose={() => setUndoing(false)} />}
		</div>
	);
}

const isToUndo = ({ kind, undone, files }: Change) => (kind === "turn" || kind === "command") && !undone && files > 0;
