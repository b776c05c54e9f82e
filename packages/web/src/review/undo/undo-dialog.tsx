import type { UndoneFile } from "@rightseat/protocol/model/change";
import { visibleCommand } from "@rightseat/protocol/visible-command";
import { useEffect, useRef, useState } from "react";
import { useFailureText } from "../../i18n/use-failure-text.ts";
import { useWords } from "../../i18n/use-words.tsx";
import type { UndoRequest } from "../../state/review.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { reviewApi } from "../review-api.ts";
import { useReasonText } from "./reason-text.ts";
import { undoWords } from "./undo-messages.ts";
import { useUndo } from "./use-undo.ts";

const RESULT_LOOKS = { restored: "text-success", merged: "text-warn", skipped: "text-muted" } as const;

/** What an undo would do to each file, and the button that does it; files may be left out. */
export function UndoDialog({ conversationId, request, onClose }: { conversationId: string; request: UndoRequest; onClose: () => void }) {
	const t = useWords(undoWords);
	const say = useFailureText();
	const undo = useUndo(conversationId);
	const [preview, setPreview] = useState<readonly UndoneFile[]>();
	const [failure, setFailure] = useState<string>();
	/** What differs from the proposal: files that are left out, and files of others that are taken all the same. */
	const [turned, setTurned] = useState<ReadonlySet<string>>(new Set());
	const [busy, setBusy] = useState(false);
	useEffect(() => {
		let listening = true;
		reviewApi.undo(conversationId, request, true).then(
			({ files }) => listening && setPreview(files),
			(error: unknown) => listening && setFailure(say(error)),
		);
		return () => {
			listening = false;
		};
	}, [conversationId, request, say]);
	const button = useRef<HTMLButtonElement>(null);
	// It could not have the focus before there was something to undo.
	useEffect(() => {
		if (preview !== undefined) button.current?.focus();
	}, [preview]);
	const taken = (preview ?? []).filter((file) => (file.result !== "skipped") !== turned.has(file.path));
	const confirm = async () => {
		setBusy(true);
		const paths = turned.size === 0 ? {} : { paths: taken.map(({ path }) => path) };
		await undo({ ...request, ...paths });
		// Also when it failed, which a toast says: what is shown here may no longer be so, and an undo that was cut off is told in the panel.
		onClose();
	};
	const toggle = (path: string) => {
		const next = new Set(turned);
		if (!next.delete(path)) next.add(path);
		setTurned(next);
	};
	return (
		<Dialog open onClose={onClose} title={t(request.kind === "undo" ? "undoTitle" : "redoTitle")}>
			<div className="flex min-h-0 flex-col gap-3 p-5">
				{failure !== undefined && <p role="alert">{failure}</p>}
				{failure === undefined && preview === undefined && <p role="status">{t("looking")}</p>}
				{preview !== undefined && preview.length > 0 && (
					<ul className="min-h-0 flex-1 overflow-y-auto rounded-lg border">
						{preview.map((file) => (
							<PreviewRow key={file.path} file={file} taken={taken.includes(file)} onToggle={() => toggle(file.path)} />
						))}
					</ul>
				)}
				{preview?.length === 0 && <p>{t("nothingLeft")}</p>}
				{preview !== undefined && preview.length > 0 && preview.every(({ result }) => result === "skipped") && (
					<p className="text-sm">{t("nothing")}</p>
				)}
				<p className="text-muted text-sm">{t("agentTold")}</p>
				<div className="flex justify-end gap-2">
					<Button onClick={onClose}>{t("cancel")}</Button>
					<Button ref={button} kind="primary" disabled={busy || taken.length === 0} onClick={() => void confirm()}>
						{t(request.kind === "undo" ? "undoNow" : "redoNow", { count: taken.length })}
					</Button>
				</div>
			</div>
		</Dialog>
	);
}

/** What others did is left alone, unless somebody names it. */
const isOffered = ({ reason }: UndoneFile) => reason === "outside" || reason === "git";

function PreviewRow({ file, taken, onToggle }: { file: UndoneFile; taken: boolean; onToggle: () => void }) {
	const t = useWords(undoWords);
	const why = useReasonText();
	const skipped = file.result === "skipped";
	const path = visibleCommand(file.path);
	const hint = file.result === "merged" ? t("mergedHint") : file.result === "restored" ? t("restoredHint") : "";
	return (
		<li className="border-b last:border-b-0">
			<label className="flex items-start gap-2.5 px-3 py-2 text-sm">
				<input
					type="checkbox"
					className="mt-1"
					aria-label={t("take", { path })}
					checked={taken}
					disabled={skipped && !isOffered(file)}
					onChange={onToggle}
				/>
				<span className="min-w-0 flex-1 break-words font-mono text-xs leading-6">{path}</span>
				<span className="max-w-[45%] text-right text-xs leading-6" title={hint}>
					<span className={RESULT_LOOKS[file.result]}>{t(`result.${file.result}`)}</span>
					{file.reason !== undefined && (
						<span className="block text-muted">
							{[why(file.reason), ...(file.holders === undefined ? [] : [`(${file.holders.join(", ")})`])].join(" ")}
						</span>
					)}
				</span>
			</label>
		</li>
	);
}
