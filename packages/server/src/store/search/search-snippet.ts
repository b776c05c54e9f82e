import type { SearchPhrase } from "./search-text.ts";

/** Finds phrases in a text and cuts out what stands around them. */
export interface Snippets {
	/** The part of a text around the first phrase found, on one line, with an ellipsis where it was cut. */
	snippetAround(text: string, phrases: readonly SearchPhrase[]): string;
	/** Where a phrase begins, or undefined. */
	findPhrase(text: string, phrases: readonly SearchPhrase[]): number | undefined;
}

/**
 * Also runs as text on the thread that searches, so that only snippets cross over and no whole messages: it must use nothing from
 * outside of its own body. `unspaced` is the pattern of the characters that are words of their own.
 */
export function createSnippets(unspaced: string): Snippets {
	const BEFORE_CHARS = 40;
	const AFTER_CHARS = 120;
	/** Words are compared one by one up to here; a match further on is found by plain text search. */
	const MAX_WORD_SCAN_CHARS = 20_000;
	const word = new RegExp(`${unspaced}|(?:(?!${unspaced})[\\p{L}\\p{N}\\p{M}\\p{Co}])+`, "gu");

	function snippetAround(text: string, phrases: readonly SearchPhrase[]): string {
		const match = findPhrase(text.slice(0, MAX_WORD_SCAN_CHARS), phrases) ?? findPlain(text, phrases) ?? 0;
		const start = onCharacter(text, Math.max(0, match - BEFORE_CHARS));
		const end = onCharacter(text, Math.min(text.length, match + AFTER_CHARS));
		const part = text.slice(start, end).replace(/\s+/gu, " ").trim();
		return `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
	}

	function findPhrase(text: string, phrases: readonly SearchPhrase[]): number | undefined {
		const wanted = phrases.map(({ words, prefix }) => ({ words: words.map(foldWord), prefix }));
		const longest = Math.max(0, ...wanted.map(({ words }) => words.length));
		const recent: { word: string; start: number }[] = [];
		for (const match of text.matchAll(word)) {
			recent.push({ word: foldWord(match[0]), start: match.index });
			if (recent.length > longest) recent.shift();
			for (const phrase of wanted) {
				const tail = recent.slice(-phrase.words.length);
				if (tail.length === phrase.words.length && isPhrase(tail, phrase)) return tail[0]?.start;
			}
		}
		return undefined;
	}

	function isPhrase(tail: readonly { word: string }[], { words, prefix }: SearchPhrase): boolean {
		return words.every((wanted, at) => {
			const found = tail[at]?.word ?? "";
			return prefix && at === words.length - 1 ? found.startsWith(wanted) : found === wanted;
		});
	}

	function findPlain(text: string, phrases: readonly SearchPhrase[]): number | undefined {
		const first = phrases[0]?.words[0];
		if (first === undefined) return undefined;
		const found = text.toLowerCase().indexOf(first.toLowerCase());
		return found === -1 ? undefined : found;
	}

	/** A word without case, accents and width, as the index compares it. */
	function foldWord(text: string): string {
		return text
			.normalize("NFKD")
			.replace(/\p{M}+/gu, "")
			.toLowerCase();
	}

	/** An index that does not lie inside a surrogate pair. */
	function onCharacter(text: string, at: number): number {
		return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;
	}

	return { snippetAround, findPhrase };
}
