import { type ReactNode, useMemo, useState } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Visible } from "../../ui/visible.tsx";
import { transcriptWords } from "../transcript-messages.ts";
import { visibleText } from "./visible-text.ts";

const FOLD_AFTER_LINES = 18;
/** A folded text shows this much of its beginning and of its end; while it runs, only the end. */
const HEAD_LINES = 6;
const TAIL_LINES = 8;
/** More than this at once makes scrolling heavy. */
const MAX_SHOWN_CHARS = 100_000;

/** Output of a command or tool, folded in the middle when long. Of a very long one the end is what matters. */
export function OutputText({ text, live }: { text: string; live: boolean }) {
	const t = useWords(transcriptWords);
	const lines = useMemo(() => withoutLastBreaks(visibleText(text.slice(-MAX_SHOWN_CHARS))).split("\n"), [text]);
	return (
		<>
			{text.length > MAX_SHOWN_CHARS && <p className="output-cut">{t("earlierChars", { count: text.length - MAX_SHOWN_CHARS })}</p>}
			<Folded lines={lines} live={live} draw={(shown) => shown} />
		</>
	);
}

/** What a tool was called with: as `OutputText`, but nothing is taken out of it, terminal sequences included. */
export function ArgumentText({ text }: { text: string }) {
	const t = useWords(transcriptWords);
	const lines = useMemo(() => text.slice(0, MAX_SHOWN_CHARS).split("\n"), [text]);
	return (
		<>
			<Folded lines={lines} live={false} draw={(shown) => <Visible text={shown} />} />
			{text.length > MAX_SHOWN_CHARS && <p className="output-cut">{t("moreChars", { count: text.length - MAX_SHOWN_CHARS })}</p>}
		</>
	);
}

function Folded(props: { lines: readonly string[]; live: boolean; draw: (text: string) => ReactNode }) {
	const { lines, live, draw } = props;
	const t = useWords(transcriptWords);
	const [open, setOpen] = useState(false);
	const long = lines.length > FOLD_AFTER_LINES;
	const toggle = long && (
		<button type="button" className="more" aria-expanded={open} onClick={() => setOpen(!open)}>
			{open ? t("showLess") : t("showAll", { count: lines.length })}
		</button>
	);
	if (!long || open) {
		return (
			<>
				<Lines>{draw(lines.join("\n"))}</Lines>
				{toggle}
			</>
		);
	}
	return (
		<>
			{!live && <Lines>{draw(lines.slice(0, HEAD_LINES).join("\n"))}</Lines>}
			{toggle}
			<Lines>{draw(lines.slice(-TAIL_LINES).join("\n"))}</Lines>
		</>
	);
}

function Lines({ children }: { children: ReactNode }) {
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard.
		<pre className="output" tabIndex={0}>
			{children}
		</pre>
	);
}

/** By hand: a pattern for the breaks at the end begins anew at each break before it. */
function withoutLastBreaks(text: string): string {
	let end = text.length;
	while (text[end - 1] === "\n") end--;
	return text.slice(0, end);
}
