/**
 * Scripts that are written without spaces between words. Each of their characters becomes a word of its own in the index,
 * and a run of them in a query becomes a phrase, so that any part of such a text is found, single characters too.
 */
export const UNSPACED = String.raw`(?=[\p{L}\p{N}])[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Bopomofo}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]`;
const unspacedCharacter = new RegExp(UNSPACED, "gu");
const endsInUnspaced = new RegExp(`${UNSPACED}$`, "u");
const separators = /[^\p{L}\p{N}\p{M}\p{Co}]+/gu;

/** Text beyond this is not searchable; a message this long is a dump, not prose. */
export const MAX_INDEXED_CHARS = 200_000;
/** A query is cut after this many characters and this many words. */
export const MAX_QUERY_CHARS = 200;
export const MAX_QUERY_WORDS = 16;

/**
 * Gives the text as the index gets it. Also runs as text on the second thread: it must use nothing from outside of its own body. `unspaced` is the pattern
 * of the characters that are words of their own.
 */
export function createIndexedText(unspaced: string, maxChars: number): (text: string) => string {
	const character = new RegExp(unspaced, "gu");
	return (text) => text.slice(0, maxChars).toWellFormed().normalize("NFKC").replace(character, " $& ");
}

/** The text as the index gets it. */
export const indexedText = createIndexedText(UNSPACED, MAX_INDEXED_CHARS);

/** What one query looks for: every phrase must occur; a phrase is words in a row, the last one maybe only begun. */
export interface SearchPhrase {
	words: string[];
	prefix: boolean;
}

/** Reads what a person typed. Nothing in it is syntax. */
export function parseQuery(query: string): SearchPhrase[] {
	const chunks = query.slice(0, MAX_QUERY_CHARS).toWellFormed().normalize("NFKC").split(/\s+/u);
	const phrases = chunks.map((chunk) => ({ words: wordsOf(chunk), prefix: false })).filter((phrase) => phrase.words.length > 0);
	const kept = phrases.slice(0, MAX_QUERY_WORDS);
	const last = kept.at(-1);
	const lastWord = last?.words.at(-1);
	// A single letter begins a large part of all words: as a prefix it would find everything, slowly.
	if (last !== undefined && lastWord !== undefined) last.prefix = lastWord.length > 1 && !endsInUnspaced.test(lastWord);
	return kept;
}

/** The query in the language of the index; words hold letters and digits only, so quoting them is enough. */
export function matchExpression(phrases: readonly SearchPhrase[]): string {
	return phrases.map(({ words, prefix }) => `"${words.join(" ")}"${prefix ? " *" : ""}`).join(" AND ");
}

function wordsOf(chunk: string) {
	return space(chunk)
		.replace(separators, " ")
		.split(" ")
		.filter((part) => /[\p{L}\p{N}\p{Co}]/u.test(part));
}

function space(text: string) {
	return text.normalize("NFKC").replace(unspacedCharacter, " $& ");
}
