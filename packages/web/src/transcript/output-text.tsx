import { useMemo, useState } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { transcriptWords } from "./transcript-words.ts";
import { visibleText } from "./visible-text.ts";

const FOLD_AFTER_LINES = 18;
/** A folded output shows this much of its beginning and of its end; while it runs, only the end. */
const HEAD_LINES = 6;
const TAIL_LINES = 8;
/** More than this at once makes scrolling heavy; the end is what matters. */
const MAX_SHOWN_CHARS = 100_000;

/** Output of a command or tool, folded in the middle when long. */
export function OutputText({ text, live }: { text: string; live: boolean }) {
	const t = useWords(transcriptWords);
	const [open, setOpen] = useState(false);
	const lines = useMemo(() => visibleText(text.slice(-MAX_SHOWN_CHARS)).replace(/\n+$/, "").split("\n"), [text]);
	const long = lines.length > FOLD_AFTER_LINES;
	const toggle = long && (
		<button type="button" className="more" aria-expanded={open} onClick={() => setOpen(!open)}>
			{open ? t("showLess") : t("showAll", { count: lines.length })}
		</button>
	);
	if (!long || open) {
		return (
			<>
				<Lines text={lines.join("\n")} />
				{toggle}
			</>
		);
	}
	return (
		<>
			{!live && <Lines text={lines.slice(0, HEAD_LINES).join("\n")} />}
			{toggle}
			<Lines text={lines.slice(-TAIL_LINES).join("\n")} />
		</>
	);
}

function Lines({ text }: { text: string }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
		<pre className="output" tabIndex={0}>
			{text}
		</pre>
	);
}
