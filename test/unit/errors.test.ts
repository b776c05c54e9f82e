import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ERROR_CODES } from "../../packages/server/src/core/kernel/errors.ts";
import { errorWords, noticeWords } from "../../packages/web/src/i18n/error-messages.ts";
import { ROOT } from "./support/source-files.ts";

test("[AR8] every error code is explained in docs/errors.md, and nothing else is", () => {
	const documented = [...readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \|$/gm)].map(
		([, code]) => code,
	);
	expect([...documented].sort()).toEqual([...ERROR_CODES].sort());
});

test("[PG207] the page has words for every error code, in both languages", () => {
	/** The page's own, when nothing answers. */
	const codes = [...ERROR_CODES, "unreachable"].sort();
	expect({ en: Object.keys(errorWords.en).sort(), zh: Object.keys(errorWords["zh-Hant"]).sort() }).toEqual({ en: codes, zh: codes });
	for (const words of [errorWords["zh-Hant"], noticeWords["zh-Hant"]])
		for (const [code, sentence] of Object.entries(words)) expect(sentence, code).toMatch(/\p{Script=Han}/u);
});
