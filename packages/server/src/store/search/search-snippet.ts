import { foldWord, locateWords, type SearchPhrase } from "./search-text.ts";

const BEFORE_CHARS = 40;
const AFTER_CHARS = 120;
/** Words are compared one by one up to here; a match further on is found by plain text search. */
const MAX_WORD_SCAN_CHARS = 20_000;

/** The part of a text around the first phrase found, on one line, with an ellipsis where it was cut. */
export function snippetAround(text: string, phrases: readonly SearchPhrase[]): string {
	const match = findPhrase(text.slice(0, MAX_WORD_SCAN_CHARS), phrases) ?? findPlain(text, phrases) ?? 0;
	const start = onCharacter(text, Math.max(0, match - BEFORE_CHARS));
	const end = onCharacter(text, Math.min(text.length, match + AFTER_CHARS));
	const part = text.slice(start, end).replace(/\s+/gu, " ").trim();
	return `${start > 0 ? "…" : ""}${part}${end < text.length ? "…" : ""}`;
}

/** Where a phrase begins, or undefined. */
export function findPhrase(text: string, phrases: readonly SearchPhrase[]): number | undefined {
	const wanted = phrases.map(({ words, prefix }) => ({ words: words.map(foldWord), prefix }));
	const longest = Math.max(0, ...wanted.map(({ words }) => words.length));
	const recent: { word: string; start: number }[] = [];
	for (const located of locateWords(text)) {
		recent.push(located);
		if (recent.length > longest) recent.shift();
		for (const phrase of wanted) {
			const tail = recent.slice(-phrase.words.length);
			if (tail.length === phrase.words.length && isPhrase(tail, phrase)) return tail[0]?.start;
		}
	}
	return undefined;
}

function isPhrase(tail: readonly { word: string }[], { words, prefix }: SearchPhrase) {
	return words.every((word, at) => {
		const found = tail[at]?.word ?? "";
		return prefix && at === words.length - 1 ? found.startsWith(word) : found === word;
	});
}

function findPlain(text: string, phrases: readonly SearchPhrase[]) {
	const first = phrases[0]?.words[0];
	if (first === undefined) return undefined;
	const found = text.toLowerCase().indexOf(first.toLowerCase());
	return found === -1 ? undefined : found;
}

/** An index that does not lie inside a surrogate pair. */
function onCharacter(text: string, at: number) {
	return /[\uDC00-\uDFFF]/.test(text.charAt(at)) && at > 0 ? at - 1 : at;
}
