import { visibleCommand } from "@rightseat/protocol/visible-command";
import { ChevronRight } from "lucide-react";
import { type KeyboardEvent, useMemo, useRef, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { reviewWords } from "../review-messages.ts";
import type { ShownFile } from "../shown.ts";
import { Counts, StatusMark } from "./file-marks.tsx";
import { type TreeRow, treeRows } from "./file-tree.ts";

/** The changed files as a tree with one tab stop; arrows walk it, Enter goes to the file. */
export function FileTreeView({ files, onOpen }: { files: readonly ShownFile[]; onOpen: (path: string) => void }) {
	const t = useWords(reviewWords);
	const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
	const [current, setCurrent] = useState<string>();
	const box = useRef<HTMLDivElement>(null);
	const rows = useMemo(() => treeRows(files, closed), [files, closed]);
	const stop = rows.find(({ key }) => key === current)?.key ?? rows[0]?.key;
	const choose = (row: TreeRow) => {
		setCurrent(row.key);
		if (row.kind === "file") onOpen(row.file.path);
		else fold(row.key, row.open);
	};
	const fold = (key: string, close: boolean) => {
		const next = new Set(closed);
		if (close) next.add(key);
		else next.delete(key);
		setClosed(next);
	};
	const onKeyDown = (event: KeyboardEvent) => {
		const at = rows.findIndex(({ key }) => key === stop);
		const row = rows[at];
		if (row === undefined) return;
		const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
		if (step !== undefined) {
			const next = rows[at + step];
			if (next === undefined) return;
			setCurrent(next.key);
			box.current?.querySelectorAll<HTMLElement>('[role="treeitem"]')[at + step]?.focus();
		} else if (event.key === "Enter" || event.key === " ") choose(row);
		else if (row.kind === "folder" && (event.key === "ArrowRight" || event.key === "ArrowLeft")) fold(row.key, event.key === "ArrowLeft");
		else return;
		event.preventDefault();
	};
	return (
		<div ref={box} role="tree" aria-label={t("files")} className="rv-tree" onKeyDown={onKeyDown}>
			{rows.map((row) => (
				// biome-ignore lint/a11y/useKeyWithClickEvents: the tree hears the keys.
				<div
					key={row.key}
					role="treeitem"
					tabIndex={row.key === stop ? 0 : -1}
					aria-level={row.depth + 1}
					aria-selected={row.key === current}
					{...(row.kind === "folder" ? { "aria-expanded": row.open } : {})}
					className="rv-tree-row"
					style={{ paddingInlineStart: 8 + row.depth * 14 }}
					onFocus={() => setCurrent(row.key)}
					onClick={() => choose(row)}
				>
					{row.kind === "folder" ? (
						<ChevronRight size={14} aria-hidden className={row.open ? "rotate-90 text-muted" : "text-muted"} />
					) : (
						<StatusMark status={row.file.status} />
					)}
					<span className="min-w-0 flex-1 truncate" title={visibleCommand(row.key)}>
						{visibleCommand(row.name)}
					</span>
					{row.kind === "file" && row.file.by !== undefined && row.file.by !== "agent" && (
						<span className="text-muted text-xs">{t(`by.${row.file.by}`)}</span>
					)}
					{row.kind === "file" ? <Counts {...row.file} /> : !row.open && <span className="text-muted text-xs">{row.files}</span>}
				</div>
			))}
		</div>
	);
}
