import { useMemo, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { transcriptWords } from "./transcript-words.ts";
import { visibleText } from "./visible-text.ts";

const FOLD_AFTER_LINES = 16;
const SHOWN_WHEN_FOLDED = 12;
/** More than this at once makes scrolling heavy; the end is what matters. */
const MAX_SHOWN_CHARS = 100_000;

/** Output of a command or tool: folded when long, its end while it runs. */
export function OutputText({ text, live }: { text: string; live: boolean }) {
	const t = useWords(transcriptWords);
	const [open, setOpen] = useState(false);
	const lines = useMemo(() => visibleText(text.slice(-MAX_SHOWN_CHARS)).replace(/\n+$/, "").split("\n"), [text]);
	const fold = lines.length > FOLD_AFTER_LINES;
	const shown = !fold || open ? lines : live ? lines.slice(-SHOWN_WHEN_FOLDED) : lines.slice(0, SHOWN_WHEN_FOLDED);
	return (
		<>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard. */}
			<pre className="output" tabIndex={0}>
				{shown.join("\n")}
			</pre>
			{fold && (
				<button type="button" className="more" aria-expanded={open} onClick={() => setOpen(!open)}>
					{open ? t("showLess") : t("showAll", { count: lines.length })}
				</button>
			)}
		</>
	);
}
