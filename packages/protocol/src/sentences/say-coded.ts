import type { Params } from "../model/params.ts";

/** The languages that people read here. */
export type SpokenLanguage = "en" | "zh-Hant";

/** An error or a notice: which sentence it is, and its values. */
export interface CodedMessage {
	code: string;
	/** The server's own sentence, in English. */
	message: string;
	/** The values of that sentence. */
	params?: Params | undefined;
}

/** Sentences by code, or by `code/reason`. */
export type Sentences = Readonly<Record<SpokenLanguage, Readonly<Record<string, string>>>>;

/**
 * A coded message in words: the sentence of its reason, else of its code, else what the server said. A sentence whose values did not come is
 * passed over.
 */
export function sayCoded({ code, message, params = {} }: CodedMessage, language: SpokenLanguage, sentences: Sentences | undefined): string {
	const known = new Map(Object.entries(sentences?.[language] ?? {}));
	for (const key of [`${code}/${params.reason ?? ""}`, code]) {
		const sentence = known.get(key);
		const said = sentence === undefined ? undefined : fillSentence(sentence, params, language);
		if (said !== undefined && !/\{\w+\}/.test(said)) return said;
	}
	return message;
}

/** A sentence with its values; a name without one stays as it is. */
export function fillSentence(sentence: string, params: Params, language: SpokenLanguage): string {
	return sentence.replace(/\{(\w+)\}/g, (whole, name: string) => {
		const value = params[name];
		return value === undefined ? whole : typeof value === "number" ? value.toLocaleString(language) : value;
	});
}
