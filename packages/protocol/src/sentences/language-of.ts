import type { SpokenLanguage } from "./say-coded.ts";

/** The language of a terminal: Traditional Chinese where the first locale variable that is set begins with `zh`, else English. */
export function languageOf(env: Readonly<Record<string, string | undefined>>): SpokenLanguage {
	const locale = [env.LC_ALL, env.LC_MESSAGES, env.LANG].find((value) => value !== undefined && value !== "");
	return locale?.toLowerCase().startsWith("zh") === true ? "zh-Hant" : "en";
}
