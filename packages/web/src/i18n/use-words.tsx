import { createContext, type ReactNode, useContext, useMemo } from "react";
import { type Language, type Translate, translator, type Words } from "./words.ts";

const LanguageContext = createContext<Language>("en");

export function LanguageProvider({ language, children }: { language: Language; children: ReactNode }) {
	return <LanguageContext value={language}>{children}</LanguageContext>;
}

export const useLanguage = () => useContext(LanguageContext);

/** `const t = useWords(composerWords); t("send")`. Each area brings its own dictionary. */
export function useWords<K extends string>(words: Words<K>): Translate<K> {
	const language = useLanguage();
	return useMemo(() => translator(words, language), [words, language]);
}
