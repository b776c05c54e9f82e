import { type FormEvent, useState } from "react";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useReadUi, useUiSet } from "../../state/ui-slice.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { gitApi } from "../git-api.ts";
import { commitWords } from "./commit-messages.ts";

const FIELD = "w-full rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 text-sm";

/** Opens a pull request with the person's own `gh`. */
export function PullRequestDialog({ conversationId, onClose }: { conversationId: string; onClose: () => void }) {
	const t = useWords(commitWords);
	const say = useFailureText();
	const { toast } = useActions();
	const setUi = useUiSet();
	const readUi = useReadUi();
	const [title, setTitle] = useState("");
	const [body, setBody] = useState("");
	const [draft, setDraft] = useState(false);
	const [busy, setBusy] = useState(false);
	const [failure, setFailure] = useState<string>();
	const create = async (event: FormEvent) => {
		event.preventDefault();
		setBusy(true);
		setFailure(undefined);
		try {
			const { url } = await gitApi.pullRequest(conversationId, { title: title.trim(), body, draft }, () => undefined);
			const action = { label: t("show"), run: () => void window.open(url, "_blank", "noopener") };
			toast({ kind: "info", text: t("created"), action });
			setUi({ gitRound: readUi().gitRound + 1 });
			onClose();
		} catch (error) {
			setFailure(say(error));
			setBusy(false);
		}
	};
	return (
		<Dialog open onClose={onClose} title={t("pullRequestTitle")}>
			<form onSubmit={(event) => void create(event)} className="grid gap-3 p-5">
				<label className="block text-sm">
					<span className="block pb-1 font-medium">{t("prTitle")}</span>
					<input data-first-focus value={title} maxLength={256} onChange={(event) => setTitle(event.target.value)} className={FIELD} />
				</label>
				<label className="block text-sm">
					<span className="block pb-1 font-medium">{t("prBody")}</span>
					<textarea rows={5} value={body} onChange={(event) => setBody(event.target.value)} className={FIELD} />
				</label>
				<label className="flex items-center gap-2 text-sm">
					<input type="checkbox" checked={draft} onChange={() => setDraft(!draft)} />
					{t("draft")}
				</label>
				<p className="text-muted text-sm">{t("prHint")}</p>
				{failure !== undefined && (
					<p role="alert" className="whitespace-pre-wrap break-words text-danger text-sm">
						{failure}
					</p>
				)}
				<div className="flex justify-end gap-2">
					<Button onClick={onClose}>{t("cancel")}</Button>
					<Button kind="primary" type="submit" disabled={busy || title.trim() === ""}>
						{t(busy ? "creating" : "create")}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}
