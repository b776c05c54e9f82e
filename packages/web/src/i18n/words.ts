import { fillSentence } from "@rightseat/protocol/sentences/say-coded";

export const LANGUAGES = ["en", "zh-Hant"] as const;
export type Language = (typeof LANGUAGES)[number];

/** The words of one area of the page in every language; `{name}` is a parameter, `one || many` chooses by `{count}`. */
export type Words<K extends string> = Readonly<Record<Language, Readonly<Record<K, string>>>>;
export type WordParams = Readonly<Record<string, string | number>>;
export type Translate<K extends string> = (key: K, params?: WordParams) => string;

/** Types make sure that no language lacks a key. */
export function defineWords<const E extends Readonly<Record<string, string>>>(
	en: E,
	zhHant: Readonly<Record<keyof E & string, string>>,
): Words<keyof E & string> {
	return { en, "zh-Hant": zhHant };
}

export function translator<K extends string>(words: Words<K>, language: Language): Translate<K> {
	const rules = new Intl.PluralRules(language);
	return (key, params = {}) => {
		const forms = words[language][key].split(" || ");
		const count = params.count;
		const form = forms.length > 1 && typeof count === "number" && rules.select(count) !== "one" ? forms[1] : forms[0];
		return fillSentence(form ?? "", params, language);
	};
}

/** `?lang=` wins, then the person's choice, then the browser; anything Chinese reads Traditional Chinese. */
export function chooseLanguage(options: { search: string; choice: Language | "system"; browser: readonly string[] }): Language {
	const asked = matchLanguage(new URLSearchParams(options.search).get("lang") ?? "");
	if (asked !== undefined) return asked;
	if (options.choice !== "system") return options.choice;
	for (const tag of options.browser) {
		const language = matchLanguage(tag);
		if (language !== undefined) return language;
	}
	return "en";
}

export function matchLanguage(tag: string): Language | undefined {
	const lower = tag.toLowerCase();
	if (lower.startsWith("zh")) return "zh-Hant";
	if (lower.startsWith("en")) return "en";
	return undefined;
}
