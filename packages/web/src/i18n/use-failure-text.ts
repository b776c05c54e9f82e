import { useCallback } from "react";
import { useApp } from "../state/use-page.tsx";
import { failureText } from "./error-text.ts";
import { useLanguage } from "./use-words.tsx";

/** Says whatever a call threw. */
export function useFailureText(): (error: unknown) => string {
	const language = useLanguage();
	const sentences = useApp((state) => state.sentences);
	return useCallback((error) => failureText(error, { language, sentences }), [language, sentences]);
}
