import { expect, test } from "vitest";
import { languageOf } from "./language-of.ts";

test.each([
	[{}, "en"],
	[{ LANG: "zh_TW.UTF-8" }, "zh-Hant"],
	[{ LANG: "zh_TW.UTF-8", LC_MESSAGES: "en_US.UTF-8" }, "en"],
	[{ LANG: "C.UTF-8", LC_ALL: "zh" }, "zh-Hant"],
	[{ LANG: "zh_TW.UTF-8", LC_ALL: "" }, "zh-Hant"],
])("[CL4] the language of a terminal follows LC_ALL, LC_MESSAGES, LANG: %j", (env, expected) => {
	expect(languageOf(env)).toBe(expected);
});
