import { english } from "./english.ts";
import { traditionalChinese } from "./traditional-chinese.ts";

/** What every language says: the keys of the English texts, each with the same arguments. */
export type Messages = {
	readonly [K in keyof typeof english]: (typeof english)[K] extends (...given: infer A) => string
		? (...given: A) => string
		: (typeof english)[K] extends readonly [string, string]
			? readonly [string, string]
			: string;
};

export type Language = "en" | "zh-Hant";

export const MESSAGES: Record<Language, Messages> = { en: english, "zh-Hant": traditionalChinese };

/** The language of a person's Telegram, as far as we speak it. */
export const languageOf = (code: string | undefined): Language => (code?.toLowerCase().startsWith("zh") === true ? "zh-Hant" : "en");
