import { type FormEvent, useState } from "react";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import { useReadUi, useUiSet } from "../../state/ui-slice.tsx";
import { useActions } from "../../state/use-page.tsx";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { type CommitChoice, gitApi } from "../git-api.ts";
import type { ShownFile } from "../shown.ts";
import { type Choice, CommitFile } from "./commit-files.tsx";
import { commitWords } from "./commit-messages.ts";
import { useProposal } from "./use-proposal.ts";

/** Names of files in the prompt for a message; more are counted by the agent itself. */
const NAMED_FILES = 50;

/** Chosen files and hunks become a commit, with the person's own hooks and signing, and what those say. */
export function CommitDialog({
	conversationId,
	files,
	onClose,
}: {
	conversationId: string;
	files: readonly ShownFile[];
	onClose: () => void;
}) {
	const t = useWords(commitWords);
	const say = useFailureText();
	const { toast } = useActions();
	const setUi = useUiSet();
	const readUi = useReadUi();
	const [choice, setChoice] = useState<Choice>(() => new Map(files.map(({ path }) => [path, "all"])));
	const [message, setMessage] = useState("");
	const [output, setOutput] = useState("");
	const [failure, setFailure] = useState<string>();
	const [busy, setBusy] = useState(false);
	const proposal = useProposal(conversationId, setMessage);
	const choose = (path: string, chosen: "all" | ReadonlySet<string> | undefined) => {
		const next = new Map(choice);
		if (chosen === undefined) next.delete(path);
		else next.set(path, chosen);
		setChoice(next);
	};
	const commit = async (event: FormEvent) => {
		event.preventDefault();
		setBusy(true);
		setFailure(undefined);
		setOutput("");
		try {
			const given = commitOf(message, choice, files);
			const { commit: made } = await gitApi.commit(conversationId, given, (text) => setOutput((before) => before + text));
			toast({ kind: "info", text: t("committed", { commit: made.slice(0, 8) }) });
			setUi({ gitRound: readUi().gitRound + 1 });
			onClose();
		} catch (error) {
			setFailure(say(error));
			setBusy(false);
		}
	};
	const names = [...choice.keys()].slice(0, NAMED_FILES).join(", ");
	return (
		<Dialog open onClose={onClose} title={t("title")} className="dialog-wide">
			<form onSubmit={(event) => void commit(event)} className="flex min-h-0 flex-col gap-3 overflow-y-auto p-5">
				<ul aria-label={t("what")} className="max-h-[34vh] shrink-0 overflow-y-auto rounded-lg border">
					{files.map((file) => (
						<CommitFile
							key={file.path}
							conversationId={conversationId}
							file={file}
							chosen={choice.get(file.path)}
							onChoose={(chosen) => choose(file.path, chosen)}
						/>
					))}
				</ul>
				<label className="block">
					<span className="flex items-center gap-2 pb-1 font-medium text-sm">{t("message")}</span>
					<textarea
						data-first-focus
						rows={4}
						value={message}
						placeholder={t("messageHint")}
						onChange={(event) => setMessage(event.target.value)}
						className="w-full resize-y rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 text-sm"
					/>
				</label>
				{output !== "" && (
					<pre
						role="log"
						aria-label={t("output")}
						className="max-h-40 shrink-0 overflow-auto whitespace-pre-wrap rounded-lg bg-code p-2.5 text-xs"
					>
						{output}
					</pre>
				)}
				{failure !== undefined && (
					<p role="alert" className="whitespace-pre-wrap break-words text-danger text-sm">
						{failure}
					</p>
				)}
				<div className="flex flex-wrap items-center justify-end gap-2">
					<Button kind="quiet" disabled={busy || proposal.waiting} onClick={() => proposal.ask(t("proposePrompt", { files: names }))}>
						{proposal.waiting ? t("proposing") : t("propose")}
					</Button>
					<span className="flex-1" />
					<Button onClick={onClose}>{t("cancel")}</Button>
					<Button kind="primary" type="submit" disabled={busy || choice.size === 0 || message.trim() === ""}>
						{busy ? t("running") : t("commitNow", { count: choice.size })}
					</Button>
				</div>
			</form>
		</Dialog>
	);
}

/** Exactly what the person saw: a file that is another by now is refused. */
function commitOf(message: string, choice: Choice, files: readonly ShownFile[]): CommitChoice {
	const taken = files.filter(({ path }) => choice.has(path));
	const some = taken.flatMap(({ path }) => {
		const chosen = choice.get(path);
		return chosen === undefined || chosen === "all" ? [] : [[path, [...chosen]] as const];
	});
	return {
		message: message.trim(),
		paths: taken.map(({ path }) => path),
		hunks: Object.fromEntries(some),
		seen: Object.fromEntries(taken.flatMap(({ path, sha256 }) => (sha256 === undefined ? [] : [[path, sha256] as const]))),
	};
}
