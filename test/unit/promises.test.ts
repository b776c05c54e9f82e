import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { promisesPage } from "../promises/promises-page.ts";
import { provenRules } from "../promises/proven-rules.ts";
import { EXPLAINS, reliabilityPromises, securityPromises } from "../promises/read-promises.ts";
import { ROOT } from "./support/source-files.ts";

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const security = read("SECURITY.md");
const reliability = read("docs/reliability.md");
const promises = [...securityPromises(security), ...reliabilityPromises(reliability)];
const rules = provenRules();

test("[AR170] every sentence of SECURITY.md and docs/reliability.md that promises something names rules that exist and have a test", () => {
	expect(promises.length).toBeGreaterThan(120);
	expect(promises.filter(({ rules: ids }) => ids.length === 0).map(({ document, text }) => `${document}: ${text}`)).toEqual([]);
	const unproven = promises.flatMap(({ rules: ids }) => ids.filter((id) => (rules.get(id)?.tests ?? []).length === 0));
	expect(unproven).toEqual([]);
});

test("[AR170] a promise without a rule is found wherever it is put into SECURITY.md", () => {
	const bare = "Nobody can ever do anything else.";
	const without = (text: string) => securityPromises(text).filter(({ rules: ids }) => ids.length === 0);
	for (const { text } of securityPromises(security).slice(0, 40)) {
		const [begin = ""] = text.split(/[`(*[]/);
		const at = security.indexOf(begin);
		if (begin.length < 12 || at === -1) continue;
		expect(without(`${security.slice(0, at)}${bare} ${security.slice(at)}`).map((found) => found.text)).toEqual([bare]);
	}
	const row = "| A promise of which nobody knows why | fault rounds |\n";
	const grown = reliability.replace("| promise | tested by |\n|---|---|\n", (head) => head + row);
	expect(reliabilityPromises(grown).filter(({ rules: ids }) => ids.length === 0)).toHaveLength(1);
});

test("[AR170] what is said to promise nothing still stands in the document", () => {
	const plain = security
		.replaceAll(/\s+/g, " ")
		.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, "$1")
		.replaceAll(/\*\*?/g, "");
	expect(EXPLAINS.filter((begin) => !plain.includes(begin))).toEqual([]);
});

test("[AR171] docs/promises.md has every promise with its rules, and each rule with tests that cite it; `npm run promises` writes it", () => {
	const page = read("docs/promises.md");
	// A test that came later is no reason to write the page anew.
	const withoutTests = (text: string) => text.replaceAll(/^(\| [A-Z]{2}\d+ \| .+ \|) .* \|$/gm, "$1");
	expect(withoutTests(page)).toBe(withoutTests(promisesPage(promises, rules)));
	const rows = [...page.matchAll(/^\| ([A-Z]{2}\d+) \| .+ \| (.*) \|$/gm)].map(([, id = "", files = ""]) => ({
		id,
		files: files.split(", "),
	}));
	expect(rows.filter(({ files }) => files.length === 0)).toEqual([]);
	const wrong = rows.flatMap(({ id, files }) =>
		files.filter((file) => !rules.get(id)?.tests.includes(file.replaceAll("`", ""))).map((file) => `${id}: ${file}`),
	);
	expect(wrong).toEqual([]);
});
