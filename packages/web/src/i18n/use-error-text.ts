import type { CodedMessage } from "@rightseat/protocol/sentences/say-coded";
import { useCallback, useMemo } from "react";
import { useApp } from "../state/use-page.tsx";
import { errorText, failureText, type Speech } from "./error-text.ts";
import { useLanguage } from "./use-words.tsx";

/** Says an error or notice of the server in the page's language. */
export function useErrorText(): (error: CodedMessage) => string {
	const speech = useSpeech();
	return useCallback((error) => errorText(error, speech), [speech]);
}

/** Says whatever a call threw. */
export function useFailureText(): (error: unknown) => string {
	const speech = useSpeech();
	return useCallback((error) => failureText(error, speech), [speech]);
}

function useSpeech(): Speech {
	const language = useLanguage();
	const sentences = useApp((state) => state.sentences);
	return useMemo(() => ({ language, sentences }), [language, sentences]);
}
