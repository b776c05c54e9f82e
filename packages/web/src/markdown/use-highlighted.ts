import { useContext, useEffect, useRef, useState } from "react";
import { HighlightContext } from "./highlight-context.ts";
import type { CodeLine } from "./highlight-port.ts";

/** Growing code is coloured again at most this often. */
const THROTTLE_MS = 180;

/** The lines that are coloured so far; later ones are not there yet. */
export function useHighlighted(code: string, language: string, growing: boolean): readonly CodeLine[] {
	const highlighter = useContext(HighlightContext);
	const [result, setResult] = useState<{ code: string; lines: readonly CodeLine[] }>({ code: "", lines: [] });
	const askedAt = useRef(0);
	useEffect(() => {
		if (highlighter === undefined || language === "") return;
		const ask = () => {
			askedAt.current = performance.now();
			void highlighter.highlight(code, language).then((lines) => {
				// A late answer is still good for the lines that the text begins with.
				if (lines !== undefined) setResult({ code, lines });
			});
		};
		const wait = growing ? askedAt.current + THROTTLE_MS - performance.now() : 0;
		if (wait <= 0) {
			ask();
			return;
		}
		const timer = setTimeout(ask, wait);
		return () => clearTimeout(timer);
	}, [highlighter, code, language, growing]);
	if (result.lines.length === 0) return result.lines;
	if (result.code === code) return result.lines;
	const whole = result.code.lastIndexOf("\n") + 1;
	return code.startsWith(result.code.slice(0, whole)) ? result.lines.slice(0, -1) : [];
}
