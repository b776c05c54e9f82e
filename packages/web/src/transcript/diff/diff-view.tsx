import { useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Visible } from "../../ui/visible.tsx";
import { transcriptWords } from "../transcript-messages.ts";
import type { FileEdit } from "./file-edit.ts";

/** Longer diffs are folded: few read them whole, and each line is an element. */
const SHOWN_LINES = 40;
const SIGNS = { same: " ", added: "+", removed: "−", gap: "⋯" } as const;

export function DiffView({ edit }: { edit: FileEdit }) {
	const t = useWords(transcriptWords);
	const [all, setAll] = useState(false);
	const lines = all ? edit.lines : edit.lines.slice(0, SHOWN_LINES);
	return (
		<>
			{!edit.compared && <p className="output-cut">{t("notCompared")}</p>}
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard. */}
			<pre className="diff" tabIndex={0}>
				{lines.map((line, index) => (
					// biome-ignore lint/suspicious/noArrayIndexKey: a line of a diff is its place.
					<span key={index} className={`diff-${line.kind}`}>
						{`${SIGNS[line.kind]} `}
						<Visible text={line.text} />
						{"\n"}
					</span>
				))}
			</pre>
			{lines.length < edit.lines.length && (
				<button type="button" className="more" onClick={() => setAll(true)}>
					{t("showAll", { count: edit.lines.length })}
				</button>
			)}
		</>
	);
}
