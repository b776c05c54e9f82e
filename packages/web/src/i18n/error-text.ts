import { type CodedMessage, type Sentences, sayCoded } from "@rightseat/protocol/sentences/say-coded";
import { ApiError } from "../api/request.ts";
import type { Language } from "./words.ts";

/** How errors are said: in this language, with these sentences once they have been loaded. */
export interface Speech {
	language: Language;
	sentences: Sentences | undefined;
}

/** An error or notice in the page's language. */
export function errorText(error: CodedMessage, { language, sentences }: Speech): string {
	return sayCoded(error, language, sentences);
}

/** Whatever went wrong, in words for a person. */
export function failureText(error: unknown, speech: Speech): string {
	if (error instanceof ApiError) return errorText(error, speech);
	return error instanceof Error ? error.message : String(error);
}
