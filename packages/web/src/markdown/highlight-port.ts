/** A piece of a line of code: its text and what it is (`keyword`, `string` …; empty for plain). */
export type CodePiece = readonly [text: string, kind: string];
export type CodeLine = readonly CodePiece[];

export interface Highlighter {
	/** Lines with their pieces, or undefined when the language is unknown or the code too long. */
	highlight(code: string, language: string): Promise<readonly CodeLine[] | undefined>;
}

export interface HighlightRequest {
	id: number;
	code: string;
	language: string;
}
export interface HighlightAnswer {
	id: number;
	lines: CodeLine[] | null;
}
