import type { Params } from "@rightseat/protocol/model/params";
import { ApiError } from "../api/request.ts";
import { fill, type Language } from "./words.ts";

export interface CodedMessage {
	code: string;
	/** The server's own sentence, in English. */
	message: string;
	/** The values of that sentence. */
	params?: Params;
}

/** Sentences by code, or by `code/reason`. */
export type Sentences = Readonly<Record<Language, Readonly<Record<string, string>>>>;

/** How errors are said: in this language, with these sentences once they have been loaded. */
export interface Speech {
	language: Language;
	sentences: Sentences | undefined;
}

/**
 * An error or notice in the page's language: the sentence of its reason, else of its code, else what the server said. A sentence whose values
 * did not come is passed over.
 */
export function errorText({ code, message, params = {} }: CodedMessage, { language, sentences }: Speech): string {
	const known = new Map(Object.entries(sentences?.[language] ?? {}));
	for (const key of [`${code}/${params.reason ?? ""}`, code]) {
		const sentence = known.get(key);
		const said = sentence === undefined ? undefined : fill(sentence, params, language);
		if (said !== undefined && !/\{\w+\}/.test(said)) return said;
	}
	return message;
}

/** Whatever went wrong, in words for a person. */
export function failureText(error: unknown, speech: Speech): string {
	if (error instanceof ApiError) return errorText(error, speech);
	return error instanceof Error ? error.message : String(error);
}
