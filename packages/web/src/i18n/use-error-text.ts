import { errorSentences } from "@rightseat/protocol/sentences/error-sentences";
import type { CodedMessage } from "@rightseat/protocol/sentences/say-coded";
import { useCallback } from "react";
import { errorText } from "./error-text.ts";
import { useLanguage } from "./use-words.tsx";

/**
 * Says an error or notice of the server in the page's language. The sentences come with the part that calls this, so none is ever shown in
 * another language first; whatever is there before the first paint must not call it, or they come before the first paint, too.
 */
export function useErrorText(): (error: CodedMessage) => string {
	const language = useLanguage();
	return useCallback((error) => errorText(error, { language, sentences: errorSentences }), [language]);
}
