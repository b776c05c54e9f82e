import { errorWords, noticeWords } from "./error-messages.ts";
import { type Language, matchLanguage, translator, type Words } from "./words.ts";

export interface CodedMessage {
	code: string;
	/** The server's own sentence, in English. */
	message: string;
}

/** An error in the page's language; of a code that this page does not know, what the server said. */
export const errorText = (error: CodedMessage, language: Language) => worded(errorWords, error, language);

export const noticeText = (notice: CodedMessage, language: Language) => worded(noticeWords, notice, language);

/** The language that the page is in right now, for whoever stands outside of React. */
export const pageLanguage = () => matchLanguage(document.documentElement.lang) ?? "en";

function worded<K extends string>(words: Words<K>, { code, message }: CodedMessage, language: Language): string {
	const known = Object.keys(words[language]).find((key): key is K & string => key === code);
	return known === undefined ? message : translator(words, language)(known, { message });
}
