import { visibleCommand } from "@rightseat/protocol/visible-command";
import clsx from "clsx";
import { ChevronRight, Undo2 } from "lucide-react";
import { type FocusEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import type { ReviewScope } from "../state/review.ts";
import { IconButton } from "../ui/icon-button.tsx";
import { type LineRange, rangeOf } from "./comments/comment-lines.ts";
import type { Comments } from "./comments/use-comments.ts";
import type { DiffStyle } from "./diff/diff-rows.ts";
import type { DrawnDiff } from "./diff/draw-diff.ts";
import { FileDiff } from "./file-diff.tsx";
import { reviewWords } from "./review-messages.ts";
import type { ShownFile } from "./shown.ts";
import { Counts, StatusMark } from "./tree/file-marks.tsx";

export interface FileSectionProps {
	conversationId: string;
	scope: ReviewScope;
	file: ShownFile;
	round: number;
	style: DiffStyle;
	ignoreWhitespace: boolean;
	comments: Comments;
	stale: ReadonlySet<string>;
	/** Undefined: nothing here can be undone. */
	onUndo: ((part: { path: string; hunkId?: string }) => void) | undefined;
}

/** One changed file: its head, and below it what changed. */
export const FileSection = memo(function FileSection(props: FileSectionProps) {
	const { file, onUndo } = props;
	const t = useWords(reviewWords);
	const [open, setOpen] = useState(true);
	const [range, setRange] = useState<LineRange>();
	const drawn = useRef<DrawnDiff>(undefined);
	const { box, near } = useNear();
	const chosen = useChosenRows(drawn);
	const path = visibleCommand(file.path);
	const name = path.slice(path.lastIndexOf("/") + 1);

	const onKeyDown = (event: KeyboardEvent) => {
		if (event.ctrlKey || event.metaKey || event.altKey) return;
		const at = drawn.current?.at(event.target instanceof Element ? event.target : null);
		const row = at === undefined ? undefined : drawn.current?.rows[at];
		chosen.keyDown(event, at);
		if (event.key === "u" && onUndo !== undefined) onUndo({ path: file.path, ...(row === undefined ? {} : { hunkId: row.hunk.id }) });
		else if ((event.key === "c" || event.key === "Enter") && at !== undefined && drawn.current !== undefined) {
			setRange(rangeOf(drawn.current, chosen.from() ?? at, at));
		} else return;
		event.preventDefault();
	};
	const close = () => {
		const at = range === undefined ? undefined : drawn.current?.find(range.side, range.to);
		setRange(undefined);
		chosen.clear();
		if (at !== undefined) drawn.current?.element(at)?.focus();
	};
	return (
		<section ref={box} aria-label={path} className="rv-file" data-path={file.path} onKeyDown={onKeyDown} onFocus={chosen.focus}>
			<div className="rv-file-head">
				<button
					type="button"
					className="rv-file-name"
					aria-label={`${path} ${t(`status.${file.status}`)}`}
					aria-expanded={open}
					data-stop
					onClick={() => setOpen(!open)}
				>
					<ChevronRight size={15} aria-hidden className={clsx("shrink-0 text-muted", open && "rotate-90")} />
					<StatusMark status={file.status} />
					<span className="rv-path" title={path}>
						<bdi dir="ltr">
							<span className="text-muted">{path.slice(0, path.length - name.length)}</span>
							<span className="font-medium">{name}</span>
							{file.oldPath !== undefined && (
								<span className="text-muted"> {t("renamedFrom", { path: visibleCommand(file.oldPath) })}</span>
							)}
						</bdi>
					</span>
				</button>
				<Who file={file} />
				<Counts {...file} />
				{onUndo !== undefined && (
					<IconButton small tabIndex={-1} label={t("undoFile")} icon={<Undo2 size={15} />} onClick={() => onUndo({ path: file.path })} />
				)}
			</div>
			{open && (
				<FileDiff
					{...props}
					wanted={near}
					range={range}
					onRange={setRange}
					onDone={close}
					onDrawn={(made) => {
						drawn.current = made;
					}}
				/>
			)}
		</section>
	);
});

/** Who changed it; both when two were at work. */
function Who({ file }: { file: ShownFile }) {
	const t = useWords(reviewWords);
	if (file.by === undefined) return null;
	const who = [file.by, ...(file.also ?? [])].map((actor) => t(`by.${actor}`)).join(" + ");
	const during =
		file.during === undefined || file.during.length === 0 ? "" : t("duringHint", { labels: file.during.map(visibleCommand).join(" · ") });
	const title = [t("byHint", { who }), file.git === true ? t("byGit") : "", during].filter((line) => line !== "").join("\n");
	return (
		<span className="rv-who" title={title}>
			<span className="sr-only">{t("byHint", { who: "" })} </span>
			{who}
			{file.git === true && ` · git`}
		</span>
	);
}

/** Whether the section is in or near the window, from then on for good. */
function useNear() {
	const box = useRef<HTMLElement>(null);
	const [near, setNear] = useState(false);
	useEffect(() => {
		if (box.current === null || near) return;
		const observer = new IntersectionObserver((entries) => entries.some(({ isIntersecting }) => isIntersecting) && setNear(true), {
			rootMargin: "800px",
		});
		observer.observe(box.current);
		return () => observer.disconnect();
	}, [near]);
	return { box, near };
}

/** Lines chosen with Shift and the arrows, marked as long as they are. */
function useChosenRows(drawn: { current: DrawnDiff | undefined }) {
	const anchor = useRef<number>(undefined);
	const mark = (from: number, to: number) => {
		drawn.current?.rows.forEach((_, at) => {
			drawn.current?.element(at)?.classList.toggle("rv-chosen", from >= 0 && at >= Math.min(from, to) && at <= Math.max(from, to));
		});
	};
	return {
		from: () => anchor.current,
		clear() {
			if (anchor.current !== undefined) mark(-1, -1);
			anchor.current = undefined;
		},
		keyDown(event: KeyboardEvent, at: number | undefined) {
			if (event.key === "ArrowDown" || event.key === "ArrowUp") {
				if (!event.shiftKey) this.clear();
				else anchor.current ??= at;
			}
		},
		focus(event: FocusEvent) {
			const at = drawn.current?.at(event.target instanceof Element ? event.target : null);
			if (anchor.current !== undefined && at !== undefined) mark(anchor.current, at);
		},
	};
}
