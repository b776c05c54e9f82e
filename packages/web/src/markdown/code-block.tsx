import { memo } from "react";
import { useWords } from "../i18n/use-words.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import type { CodeLine } from "./highlight-port.ts";
import { markdownWords } from "./markdown-messages.ts";
import { useHighlighted } from "./use-highlighted.ts";

export function CodeBlock({ code, language, growing }: { code: string; language: string; growing: boolean }) {
	const t = useWords(markdownWords);
	return (
		<div className="md-code">
			<div className="md-code-head">
				<span>{language === "" ? "text" : language}</span>
				<CopyButton label={t("copyCode")} text={() => code} />
			</div>
			{/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways must be reachable by keyboard. */}
			<pre tabIndex={0}>
				<ColouredCode code={code} language={language} growing={growing} />
			</pre>
		</div>
	);
}

/** Code with the colours known so far; what is not coloured yet is one plain text. */
function ColouredCode({ code, language, growing }: { code: string; language: string; growing: boolean }) {
	const lines = useHighlighted(code, language, growing);
	const shown = lines.length === 0 ? 0 : lines.reduce((sum, line) => sum + line.reduce((length, [text]) => length + text.length, 1), 0);
	const rest = code.slice(shown);
	return (
		<code>
			{lines.map((line, index) => (
				// biome-ignore lint/suspicious/noArrayIndexKey: a line is its number.
				<ColouredLine key={index} line={line} last={index === lines.length - 1 && rest === "" && !code.endsWith("\n")} />
			))}
			{rest}
		</code>
	);
}

const ColouredLine = memo(
	function ColouredLine({ line, last }: { line: CodeLine; last: boolean }) {
		return (
			<>
				{line.map(([text, kind], index) =>
					kind === "" ? (
						text
					) : (
						// biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line never move.
						<span key={index} className={`tk-${kind}`}>
							{text}
						</span>
					),
				)}
				{last ? null : "\n"}
			</>
		);
	},
	(a, b) => a.last === b.last && sameLine(a.line, b.line),
);

function sameLine(a: CodeLine, b: CodeLine): boolean {
	return a === b || (a.length === b.length && a.every((piece, index) => piece[0] === b[index]?.[0] && piece[1] === b[index]?.[1]));
}
