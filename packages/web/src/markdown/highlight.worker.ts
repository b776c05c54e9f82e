import { createCssVariablesTheme, createHighlighterCore, type HighlighterCore } from "shiki/core";
import { createJavaScriptRegexEngine } from "shiki/engine/javascript";
import type { CodeLine, CodePiece, HighlightAnswer, HighlightRequest } from "./highlight-port.ts";
import { findGrammar } from "./languages.ts";

const PREFIX = "var(--shiki-token-";
const core = createHighlighterCore({
	themes: [createCssVariablesTheme({ name: "page", variablePrefix: "--shiki-" })],
	langs: [],
	engine: createJavaScriptRegexEngine({ forgiving: true }),
});

addEventListener("message", (event: MessageEvent<HighlightRequest>) => {
	void answer(event.data).then((reply) => postMessage(reply));
});

async function answer({ id, code, language }: HighlightRequest): Promise<HighlightAnswer> {
	const grammar = findGrammar(language);
	if (grammar === undefined) return { id, lines: null };
	try {
		const highlighter = await core;
		if (!highlighter.getLoadedLanguages().includes(grammar.name)) await highlighter.loadLanguage((await grammar.load()).default);
		return { id, lines: linesOf(highlighter, code, grammar.name) };
	} catch {
		return { id, lines: null };
	}
}

function linesOf(highlighter: HighlighterCore, code: string, lang: string): CodeLine[] {
	const { tokens } = highlighter.codeToTokens(code, { lang, theme: "page", tokenizeTimeLimit: 400 });
	return tokens.map((line) => {
		const pieces: CodePiece[] = [];
		for (const token of line) {
			const color = token.color ?? "";
			const kind = color.startsWith(PREFIX) ? color.slice(PREFIX.length, -1) : "";
			const last = pieces.at(-1);
			// Blanks take the colour of what is before them, and neighbours alike become one: fewer nodes on the page.
			if (last !== undefined && (last[1] === kind || token.content.trim() === ""))
				pieces[pieces.length - 1] = [last[0] + token.content, last[1]];
			else pieces.push([token.content, kind]);
		}
		return pieces;
	});
}
