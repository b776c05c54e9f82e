import { expect, test } from "vitest";
import { chooseLanguage, defineWords, translator } from "./words.ts";

test("[PG19] ?lang= wins, then the person's choice, then the browser, then English", () => {
	expect(chooseLanguage({ search: "?lang=en", choice: "zh-Hant", browser: ["zh-TW"] })).toBe("en");
	expect(chooseLanguage({ search: "?lang=zh-TW", choice: "en", browser: ["en-US"] })).toBe("zh-Hant");
	expect(chooseLanguage({ search: "?lang=xx", choice: "zh-Hant", browser: ["en"] })).toBe("zh-Hant");
	expect(chooseLanguage({ search: "", choice: "system", browser: ["fr", "zh-HK", "en"] })).toBe("zh-Hant");
	expect(chooseLanguage({ search: "", choice: "system", browser: ["fr"] })).toBe("en");
});

test("[PG19] words take parameters and choose by number", () => {
	const words = defineWords(
		{ files: "{count} file || {count} files", hello: "Hello {name}" },
		{ files: "{count} 個檔案", hello: "{name} 你好" },
	);
	const en = translator(words, "en");
	expect([en("files", { count: 1 }), en("files", { count: 1200 }), en("hello", { name: "$&" })]).toEqual([
		"1 file",
		"1,200 files",
		"Hello $&",
	]);
	expect(translator(words, "zh-Hant")("files", { count: 3 })).toBe("3 個檔案");
});
