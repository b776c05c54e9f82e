import { expect, test } from "vitest";
import { ERROR_CODES } from "../../../core/kernel/errors.ts";
import { english } from "./english.ts";
import { languageOf, MESSAGES } from "./messages.ts";
import { traditionalChinese } from "./traditional-chinese.ts";

const CHINESE = /\p{Script=Han}/u;
const textOf = (value: unknown): string =>
	typeof value === "function" ? String(value) : Array.isArray(value) ? value.join("") : String(value);

test("[TG114] every text of the bot is there in both languages", () => {
	expect(Object.keys(traditionalChinese).sort()).toEqual(Object.keys(english).sort());
	const untranslated = Object.entries(traditionalChinese).filter(
		([name, value]) => !["error", "notice", "elapsed"].includes(name) && !CHINESE.test(textOf(value)),
	);
	expect(untranslated.map(([name]) => name)).toEqual([]);
	expect(Object.entries(english).filter(([, value]) => CHINESE.test(textOf(value)))).toEqual([]);
});

test("[TG114] every error of the server has a Chinese sentence, and one that says why keeps that", () => {
	for (const code of ERROR_CODES) expect([code, CHINESE.test(traditionalChinese.error(code, "why"))]).toEqual([code, true]);
	expect(traditionalChinese.error("provider-error", "503 from the model")).toContain("503 from the model");
	expect(traditionalChinese.error("from-a-newer-server", "The sentence.")).toBe("The sentence.");
	expect(english.error("queue-full", "The sentence.")).toBe("The sentence.");
});

test("[TG114] Chinese of every kind is spoken to in Traditional Chinese, everybody else in English", () => {
	expect(["zh-hant", "zh-TW", "ZH", "en", "fr", undefined].map(languageOf)).toEqual(["zh-Hant", "zh-Hant", "zh-Hant", "en", "en", "en"]);
	expect(MESSAGES["zh-Hant"].elapsed(65_000)).toBe("1 分 5 秒");
});
