import { countHidden } from "@rightseat/protocol/visible-command";
import { useMemo } from "react";
import { useWords } from "../../i18n/use-words.tsx";
import { Visible } from "../../ui/visible.tsx";
import { cardWords } from "./card-messages.ts";

/**
 * What a person is asked to allow, whole: never folded, never scrolled inside a box and wrapped instead of running out of
 * sight to the right, so that its end stands right above the buttons however long it is.
 */
export function WholeCommand({ text }: { text: string }) {
	const t = useWords(cardWords);
	const hidden = useMemo(() => countHidden(text), [text]);
	const lines = text.split("\n").length;
	return (
		<div className="ask-detail">
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: reading a long command by keyboard begins with reaching it. */}
			<pre className="output output-whole" tabIndex={0}>
				<Visible text={text} />
			</pre>
			{lines > COUNTED_FROM_LINES && <p className="ask-note">{t("wholeCommand", { lines, count: text.length })}</p>}
			{hidden > 0 && <p className="ask-note text-danger">{t("hiddenChars", { count: hidden })}</p>}
		</div>
	);
}

/** From here on the beginning may have left the screen; then the reader is told how much there is. */
const COUNTED_FROM_LINES = 12;
