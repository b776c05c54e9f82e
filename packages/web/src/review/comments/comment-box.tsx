import { visibleCommand } from "@rightseat/protocol/visible-command";
import { Pencil, Trash2 } from "lucide-react";
import { type KeyboardEvent, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Button } from "../../ui/button.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import type { LineRange } from "./comment-lines.ts";
import { commentWords } from "./comment-messages.ts";
import { type LineComment, MAX_COMMENT_CHARS } from "./comment-store.ts";

/** Where a comment is written; Ctrl+Enter adds it, Escape leaves. */
export function CommentBox(props: {
	path: string;
	range: LineRange;
	initial?: string;
	onSave: (text: string) => void;
	onCancel: () => void;
}) {
	const { path, range, initial = "", onSave, onCancel } = props;
	const t = useWords(commentWords);
	const [text, setText] = useState(initial);
	const ready = text.trim() !== "";
	const lines = range.from === range.to ? t("line", { from: range.from }) : t("lines", { from: range.from, to: range.to });
	const onKeyDown = (event: KeyboardEvent) => {
		event.stopPropagation();
		if (event.nativeEvent.isComposing) return;
		if (event.key === "Escape") onCancel();
		else if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && ready) onSave(text.trim());
	};
	return (
		<div className="rv-comment">
			<textarea
				// biome-ignore lint/a11y/noAutofocus: whoever asked for this box wants to write in it.
				autoFocus
				rows={3}
				value={text}
				maxLength={MAX_COMMENT_CHARS}
				aria-label={t("commentOn", { path: visibleCommand(path), lines })}
				placeholder={t("placeholder")}
				onChange={(event) => setText(event.target.value)}
				onKeyDown={onKeyDown}
				className="w-full resize-y rounded-lg border border-line-strong bg-surface px-2.5 py-1.5 text-sm"
			/>
			<div className="flex items-center gap-2">
				<span className="flex-1 text-muted text-xs">{lines}</span>
				<Button small kind="quiet" onClick={onCancel}>
					{t("cancel")}
				</Button>
				<Button small kind="primary" disabled={!ready} onClick={() => onSave(text.trim())}>
					{initial === "" ? t("add") : t("save")}
				</Button>
			</div>
		</div>
	);
}

/** A comment that waits to be sent. */
export function CommentView(props: { comment: LineComment; stale: boolean; onChange: (text: string) => void; onRemove: () => void }) {
	const { comment, stale, onChange, onRemove } = props;
	const t = useWords(commentWords);
	const [editing, setEditing] = useState(false);
	if (editing) {
		const save = (text: string) => {
			setEditing(false);
			onChange(text);
		};
		return <CommentBox path={comment.path} range={comment} initial={comment.text} onSave={save} onCancel={() => setEditing(false)} />;
	}
	return (
		<div className="rv-comment">
			<div className="flex items-start gap-1">
				<p className="min-w-0 flex-1 whitespace-pre-wrap break-words text-sm">{comment.text}</p>
				{stale && (
					<span className="rounded-md bg-warn-soft px-1.5 text-warn text-xs" title={t("stale")}>
						{t("staleShort")}
					</span>
				)}
				<IconButton small label={t("edit")} icon={<Pencil size={14} />} onClick={() => setEditing(true)} />
				<IconButton small label={t("remove")} icon={<Trash2 size={14} />} onClick={onRemove} />
			</div>
			{stale && <p className="sr-only">{t("stale")}</p>}
		</div>
	);
}
