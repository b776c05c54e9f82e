import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { errorSentences } from "../../packages/protocol/src/sentences/error-sentences.ts";
import { ERROR_CODES } from "../../packages/server/src/core/kernel/errors.ts";
import { errorSites } from "./support/error-sites.ts";
import { ROOT, readSources } from "./support/source-files.ts";

test("[AR8] every error code is explained in docs/errors.md, and nothing else is", () => {
	const documented = [...readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(/^\| `([a-z-]+)` \| .+ \| .+ \|$/gm)].map(
		([, code]) => code,
	);
	expect([...documented].sort()).toEqual([...ERROR_CODES].sort());
});

test("[PG207] the page has a Chinese sentence for every error code", () => {
	const chinese = errorSentences["zh-Hant"];
	expect(ERROR_CODES.filter((code) => chinese[code] === undefined)).toEqual([]);
	for (const [code, sentence] of Object.entries(chinese)) expect(sentence, code).toMatch(/\p{Script=Han}/u);
});

test("[PG320] a Chinese sentence is of a code or a reason that docs/errors.md lists, and has only values that are listed with it", () => {
	const document = readFileSync(join(ROOT, "docs/errors.md"), "utf8");
	const rows = new Map(
		[...document.matchAll(/^\| `([a-z-]+(?:\/[a-z-]+)?)` \| (–|`\w+`(?:, `\w+`)*) \|$/gm)].map(([, key, names]) => [key, names]),
	);
	const strange = Object.entries(errorSentences["zh-Hant"]).filter(([key, sentence]) => {
		const values = sentence.match(/(?<=\{)\w+(?=\})/g) ?? [];
		if (values.some((value) => rows.get(key)?.includes(`\`${value}\``) !== true)) return true;
		return key.includes("/") && !rows.has(key);
	});
	expect(strange).toEqual([]);
});

test("[HT190] every reason in docs/errors.md has a sentence of its own in Chinese, and in English where the code's would hide the server's", () => {
	const rows = readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(/^\| `([a-z-]+)\/([a-z-]+)` \| /gm);
	const reasons = [...rows].map(([, code = "", reason = ""]) => ({ code, key: `${code}/${reason}` }));
	expect(reasons.length).toBeGreaterThan(60);
	const { en, "zh-Hant": chinese } = errorSentences;
	expect(reasons.filter(({ key }) => chinese[key] === undefined)).toEqual([]);
	expect(reasons.filter(({ code, key }) => en[code] !== undefined && en[key] === undefined)).toEqual([]);
	for (const key of ["too-large/memory", "rate-limited/memory"]) expect(en[key], key).toMatch(/memory/);
});

test("[HT181] an error whose sentence has values in it carries them, and names the sentence where its code has several", () => {
	const silent = errorSites().filter(
		({ code, text, params }) => isSpoken(text) && code !== "internal" && text.includes("$" + "{") && params.length === 0,
	);
	expect(silent.map(({ path, code }) => `${path} ${code}`)).toEqual([]);
});

test("[HT181] every value and every reason is listed in docs/errors.md, and what is listed there exists", () => {
	const rows = readFileSync(join(ROOT, "docs/errors.md"), "utf8").matchAll(
		/^\| `([a-z-]+)(?:\/([a-z-]+))?` \| (–|`\w+`(?:, `\w+`)*) \|$/gm,
	);
	const listed = [...rows].map(([, code = "", reason = "", names = ""]) => ({ code, reason, names: names.match(/\w+/g) ?? [] }));
	expect(listed.length).toBeGreaterThan(80);
	const known = new Map<string, Set<string>>();
	for (const { code, names } of listed) known.set(code, new Set([...(known.get(code) ?? []), ...names]));
	const sites = errorSites().filter(({ params }) => params.length > 0);
	const unlisted = sites.flatMap(({ path, code, params, reasons }) => [
		...params.filter((name) => name !== "reason" && known.get(code)?.has(name) !== true).map((name) => `${path} ${code}: ${name}`),
		...reasons.filter((reason) => !listed.some((row) => row.code === code && row.reason === reason)).map((reason) => `${code}/${reason}`),
	]);
	const server = readSources(["packages/server/src", "packages/protocol/src"]).filter((file) => !file.isTest);
	const gone = listed.filter(
		({ reason }) => reason !== "" && !server.some((file) => file.text.includes(`"${reason}"`) || file.text.includes(`${reason}:`)),
	);
	expect({ unlisted, gone }).toEqual({ unlisted: [], gone: [] });
});

/** What says why a start failed is put into a sentence elsewhere, which has it as `because`. */
const isSpoken = (text: string) => !/`(?:its process ended|no answer within)/.test(text);
