import { useMemo, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { CommentBox, CommentView } from "./comments/comment-box.tsx";
import { type LineRange, rangeOf, snippetOf } from "./comments/comment-lines.ts";
import { scopeId } from "./comments/use-stale.ts";
import { DiffTable, type LineNote } from "./diff/diff-table.tsx";
import type { DrawnDiff } from "./diff/draw-diff.ts";
import type { FileSectionProps } from "./file-section.tsx";
import { isPicture } from "./language-of.ts";
import { PicturePair } from "./picture-pair.tsx";
import { type Lines as FoundLines, reviewApi } from "./review-api.ts";
import { reviewWords } from "./review-messages.ts";
import { useLoaded } from "./use-review.ts";

/** Lines of one file that are drawn at first. */
export const FIRST_LINES = 2_000;

interface FileDiffProps extends FileSectionProps {
	/** Fetched from now on. */
	wanted: boolean;
	/** Lines that a comment is being written on. */
	range: LineRange | undefined;
	onRange: (range: LineRange | undefined) => void;
	/** The comment was added or given up. */
	onDone: () => void;
	onDrawn: (drawn: DrawnDiff | undefined) => void;
}

/** What changed in a file: lines, pictures, or a word on why there are none. */
export function FileDiff(props: FileDiffProps) {
	const { file } = props;
	if (file.binary && isPicture(file.path)) return <PicturePair {...props} />;
	if (!props.wanted && !file.binary) return <div className="rv-waiting" />;
	return file.binary ? <Said word="binary" /> : <TextDiff {...props} />;
}

function Said({ word }: { word: "binary" | "onlyMode" | "onlyName" | "empty" | "coarse" | "onlyWhitespace" | "loading" }) {
	const t = useWords(reviewWords);
	return <p className="rv-said">{t(word)}</p>;
}

function TextDiff(props: FileDiffProps) {
	const { conversationId, scope, file, ignoreWhitespace, round } = props;
	const t = useWords(reviewWords);
	const key = `${conversationId} ${scopeId(scope)} ${file.path} ${ignoreWhitespace}`;
	// A change that is done stays as it is.
	const { loaded, reload } = useLoaded(
		key,
		(signal) => reviewApi.hunks(conversationId, scope, { path: file.path, ignoreWhitespace }, signal),
		scope.kind === "change" ? 0 : round,
	);
	if (loaded.kind === "loading") return <Said word="loading" />;
	if (loaded.kind === "failed") {
		return (
			<p className="rv-said">
				{loaded.message}{" "}
				<Button small onClick={reload}>
					{t("again")}
				</Button>
			</p>
		);
	}
	if (loaded.value.hunks.length > 0) return <Lines {...props} found={loaded.value} />;
	if (file.status === "mode") return <Said word="onlyMode" />;
	if (ignoreWhitespace && file.added + file.removed > 0) return <Said word="onlyWhitespace" />;
	return <Said word={file.status === "renamed" ? "onlyName" : "empty"} />;
}

function Lines({ found, ...props }: FileDiffProps & { found: FoundLines }) {
	const { file, scope, style, comments, stale, range, onRange, onDone, onDrawn, onUndo } = props;
	const t = useWords(reviewWords);
	const [all, setAll] = useState(false);
	const pressed = useRef<number>(undefined);
	const total = useMemo(() => found.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0), [found]);
	const handlers = useRef({ onDrawn });
	handlers.current = { onDrawn };
	const [drawnOnce] = useState(() => (drawn: DrawnDiff | undefined) => handlers.current.onDrawn(drawn));
	const onNumber = (drawn: DrawnDiff, at: number, extend: boolean) => {
		const from = extend ? (pressed.current ?? at) : at;
		pressed.current = at;
		onRange(rangeOf(drawn, from, at));
	};
	const save = (text: string) => {
		if (range === undefined) return;
		comments.add({ changeId: scopeId(scope), path: file.path, ...range, snippet: snippetOf(found.hunks, range), text });
		onDone();
	};
	const notes: LineNote[] = comments.all
		.filter((comment) => comment.path === file.path)
		.map((comment) => ({
			key: comment.id,
			side: comment.side,
			line: comment.to,
			content: (
				<CommentView
					comment={comment}
					stale={stale.has(comment.id)}
					onChange={(text) => comments.change(comment.id, text)}
					onRemove={() => comments.remove(comment.id)}
				/>
			),
		}));
	if (range !== undefined) {
		const box = <CommentBox path={file.path} range={range} onSave={save} onCancel={onDone} />;
		notes.push({ key: "new", side: range.side, line: range.to, content: box });
	}
	return (
		<>
			{found.coarse === true && <Said word="coarse" />}
			<DiffTable
				path={file.path}
				hunks={found.hunks}
				style={style}
				limit={all ? Number.POSITIVE_INFINITY : FIRST_LINES}
				notes={notes}
				onNumber={onNumber}
				onUndoHunk={onUndo === undefined ? undefined : (hunkId) => onUndo({ path: file.path, hunkId })}
				onDrawn={drawnOnce}
			/>
			{!all && total > FIRST_LINES && (
				<button type="button" className="more rv-said" onClick={() => setAll(true)}>
					{t("showAllLines", { count: total })}
				</button>
			)}
			{(all || total <= FIRST_LINES) && found.truncated !== undefined && (
				<p className="rv-said">{t("cutLines", { count: found.truncated })}</p>
			)}
		</>
	);
}
