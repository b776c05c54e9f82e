import { type MouseEvent, type ReactNode, useContext, useLayoutEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import { useWords } from "../../i18n/use-words.tsx";
import { HighlightContext } from "../../markdown/highlight-context.ts";
import { languageOf } from "../language-of.ts";
import { reviewWords } from "../review-messages.ts";
import { type DiffStyle, diffRows } from "./diff-rows.ts";
import { type DrawnDiff, drawDiff, linesOf, make } from "./draw-diff.ts";
import "./diff.css";
import type { Hunk, Side } from "./hunk.ts";

/** Something that stands below a line. */
export interface LineNote {
	key: string;
	side: Side;
	/** Below this line. */
	line: number;
	content: ReactNode;
}

export interface DiffTableProps {
	path: string;
	hunks: readonly Hunk[];
	style: DiffStyle;
	/** Lines drawn at most. */
	limit: number;
	notes: readonly LineNote[];
	/** Somebody pressed the number of a line: which row, and whether the ones since the last press are meant too. */
	onNumber: (drawn: DrawnDiff, at: number, extend: boolean) => void;
	/** Undefined: hunks have no button. */
	onUndoHunk: ((hunkId: string) => void) | undefined;
	/** Whoever handles keys needs the rows. */
	onDrawn: (drawn: DrawnDiff | undefined) => void;
}

/** The hunks of one file as a table. Its rows are plain DOM; the notes between them are portals. */
export function DiffTable(props: DiffTableProps) {
	const { path, hunks, style, limit, notes, onNumber, onUndoHunk, onDrawn } = props;
	const t = useWords(reviewWords);
	const highlighter = useContext(HighlightContext);
	const table = useRef<HTMLTableElement>(null);
	const [drawn, setDrawn] = useState<DrawnDiff>();
	const undoWord = onUndoHunk === undefined ? undefined : t("undoHunk");
	useLayoutEffect(() => {
		if (table.current === null) return;
		const language = languageOf(path);
		const made = drawDiff(table.current, {
			rows: diffRows(hunks, style, limit).rows,
			words: {
				added: t("added"),
				removed: t("removed"),
				unchanged: t("unchanged"),
				hunk: ({ oldStart, oldLines, newStart, newLines }) => `@@ −${oldStart},${oldLines} +${newStart},${newLines} @@`,
				undoHunk: undoWord,
				noNewline: t("noNewline"),
				moreChars: (count) => t("moreChars", { count }),
			},
			highlight: (code) => highlighter?.highlight(code, language) ?? Promise.resolve(undefined),
		});
		setDrawn(made);
		onDrawn(made);
		return () => {
			onDrawn(undefined);
			made.close();
		};
	}, [path, hunks, style, limit, t, undoWord, highlighter, onDrawn]);
	const slots = useSlots(drawn, notes);
	const onClick = (event: MouseEvent) => {
		const target = event.target instanceof Element ? event.target : null;
		const at = drawn?.at(target);
		const row = at === undefined ? undefined : drawn?.rows[at];
		if (drawn === undefined || at === undefined || row === undefined) return;
		if (row.kind === "hunk" && target?.closest("button") !== null) onUndoHunk?.(row.hunk.id);
		else if (target?.closest("th") !== null && linesOf(row).length > 0) onNumber(drawn, at, event.shiftKey);
	};
	return (
		<>
			{/* biome-ignore lint/a11y/useKeyWithClickEvents: the list of files hears the keys. */}
			<table ref={table} className={`rv-table rv-${style}`} onClick={onClick}>
				<caption className="sr-only">{path}</caption>
			</table>
			{notes.map(({ key, content }) => {
				const slot = slots.get(key);
				return slot === undefined ? null : createPortal(content, slot, key);
			})}
		</>
	);
}

/** A row of its own below the line of each note; it stays while its note does, so that nobody loses what they are typing. */
function useSlots(drawn: DrawnDiff | undefined, notes: readonly LineNote[]): ReadonlyMap<string, HTMLElement> {
	const [slots, setSlots] = useState<{ of: DrawnDiff; cells: ReadonlyMap<string, HTMLElement> }>();
	const wanted = notes.map(({ key, side, line }) => `${key} ${side} ${line}`).join("\n");
	// biome-ignore lint/correctness/useExhaustiveDependencies: `wanted` says all of the notes that matters here.
	useLayoutEffect(() => {
		if (drawn === undefined) return;
		const known = slots?.of === drawn ? slots.cells : new Map<string, HTMLElement>();
		const cells = new Map<string, HTMLElement>();
		for (const { key, side, line } of notes) {
			const at = drawn.find(side, line);
			const row = at === undefined ? undefined : drawn.element(at);
			if (row === undefined) continue;
			const cell = known.get(key) ?? makeSlot();
			if (cell.parentElement !== null && cell.parentElement.previousElementSibling !== row) row.after(cell.parentElement);
			cells.set(key, cell);
		}
		for (const [key, cell] of known) if (!cells.has(key)) cell.parentElement?.remove();
		setSlots({ of: drawn, cells });
	}, [drawn, wanted]);
	return slots !== undefined && slots.of === drawn ? slots.cells : new Map();
}

function makeSlot(): HTMLElement {
	const row = make("tr", "row");
	row.className = "rv-note";
	const cell = make("td", "cell");
	row.append(cell);
	return cell;
}
