import { visibleCommand } from "@rightseat/protocol/visible-command";
import { TriangleAlert } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { Button } from "../ui/button.tsx";
import { FileSection, type FileSectionProps } from "./file-section.tsx";
import { reviewWords } from "./review-messages.ts";
import type { Shown } from "./shown.ts";
import { inTreeOrder } from "./tree/file-tree.ts";
import { FileTreeView } from "./tree/file-tree-view.tsx";
import { useReasonText } from "./undo/reason-text.ts";
import { walkLines } from "./walk-lines.ts";

/** Files whose changes are drawn at first, and with each press of the button. */
const FILES_AT_ONCE = 100;
/** A tree of one file says nothing that its head does not. */
const TREE_FROM = 2;

/** The tree, what is not covered, and every file with its lines. */
export function FileList({ detail, ...shared }: { detail: Shown } & Omit<FileSectionProps, "file">) {
	const t = useWords(reviewWords);
	const box = useRef<HTMLDivElement>(null);
	const [shown, setShown] = useState(FILES_AT_ONCE);
	const files = useMemo(() => inTreeOrder(detail.files), [detail.files]);
	const goTo = (path: string) => {
		const at = files.findIndex((file) => file.path === path);
		if (at >= shown) setShown(at + 1);
		requestAnimationFrame(() => {
			const section = [...(box.current?.querySelectorAll<HTMLElement>(".rv-file") ?? [])].find((each) => each.dataset.path === path);
			section?.scrollIntoView({ block: "start" });
			section?.querySelector<HTMLElement>("[data-stop]")?.focus({ preventScroll: true });
		});
	};
	return (
		<>
			{files.length >= TREE_FROM && <FileTreeView files={files} onOpen={goTo} />}
			<NotCoveredNote notCovered={detail.notCovered} />
			{detail.truncated !== undefined && <p className="rv-said">{t("cutFiles", { count: detail.truncated })}</p>}
			{/* biome-ignore lint/a11y/noStaticElementInteractions: files and lines inside have the focus; their keys are heard here. */}
			<div ref={box} className="rv-files" onKeyDown={walkLines}>
				{files.slice(0, shown).map((file) => (
					<FileSection key={file.path} file={file} {...shared} />
				))}
			</div>
			{files.length > shown && (
				<div className="p-3 text-center">
					<Button small onClick={() => setShown(shown + FILES_AT_ONCE)}>
						{t("moreFiles", { count: Math.min(FILES_AT_ONCE, files.length - shown) })}
					</Button>
				</div>
			)}
			{files.length > 0 && <p className="rv-keys">{t("keys")}</p>}
		</>
	);
}

function NotCoveredNote({ notCovered }: { notCovered: Shown["notCovered"] }) {
	const t = useWords(reviewWords);
	const why = useReasonText();
	if (notCovered.length === 0) return null;
	return (
		<details className="rv-note-box" open={notCovered.length <= 3}>
			<summary>
				<TriangleAlert size={15} aria-hidden className="inline align-[-2px]" /> {t("notCovered", { count: notCovered.length })}
			</summary>
			<ul>
				{notCovered.map(({ path, reason }) => (
					<li key={`${path} ${reason}`}>
						<code>{visibleCommand(path)}</code> — {why(reason)}
					</li>
				))}
			</ul>
			<p>{t("notCoveredHint")}</p>
		</details>
	);
}
