import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readSources } from "./support/source-files.ts";

const lines = readFileSync(join(ROOT, "SPEC.md"), "utf8").split("\n");
const pending = readFileSync(join(ROOT, "test/unit/pending-rules.txt"), "utf8")
	.split("\n")
	.map((line) => line.trim())
	.filter((line) => line !== "" && !line.startsWith("#"));

const rules = lines.flatMap((line) => /^- \*\*([A-Z]{2}\d+)\*\* \S/.exec(line)?.[1] ?? []);
const cited = new Map<string, string>();
for (const file of readSources(["packages", "test"])) {
	if (!file.isTest) continue;
	for (const [, id = ""] of file.text.matchAll(/\[([A-Z]{2}\d+)\]/g)) cited.set(id, file.path);
}

test("[AR6] rules are written in one form, once each, in the section of their prefix", () => {
	const wrong: string[] = [];
	let section = "";
	for (const line of lines) {
		section = /^## ([A-Z]{2}):/.exec(line)?.[1] ?? section;
		const id = /^- \*\*([A-Z]{2}\d+)\*\*/.exec(line)?.[1];
		if (id !== undefined && !id.startsWith(section)) wrong.push(`${id} stands in section ${section}`);
		if (line.startsWith("- ") && !/^- \*\*[A-Z]{2}\d+\*\* .+[.)]$/.test(line)) wrong.push(`not of the form "- **ID** Sentence.": ${line}`);
	}
	expect([...wrong, ...rules.filter((id, index) => rules.indexOf(id) !== index)]).toEqual([]);
});

test("[AR6] no rule without a test", () => {
	if (pending.length > 0) console.log(`Rules that wait for their test: ${pending.join(", ")}`);
	expect(rules.filter((id) => !cited.has(id) && !pending.includes(id))).toEqual([]);
});

test("[AR6] no citation without a rule", () => {
	const unknown = [...cited].filter(([id]) => !rules.includes(id)).map(([id, path]) => `${id} in ${path}`);
	expect(unknown).toEqual([]);
});

test("[AR6] the pending list names only rules that exist and have no test yet", () => {
	expect(pending.filter((id) => !rules.includes(id) || cited.has(id))).toEqual([]);
});
