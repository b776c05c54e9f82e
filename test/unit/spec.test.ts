import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readSources } from "./support/source-files.ts";
import { listRules, readSpecs, ruleOf } from "./support/spec-files.ts";

const index = readFileSync(join(ROOT, "SPEC.md"), "utf8");
const pending = readFileSync(join(ROOT, "test/unit/pending-rules.txt"), "utf8")
	.split("\n")
	.map((line) => line.trim())
	.filter((line) => line !== "" && !line.startsWith("#"));

const rules = listRules();
const cited = new Map<string, string>();
for (const file of readSources(["packages", "test"])) {
	if (!file.isTest) continue;
	for (const [, id = ""] of file.text.matchAll(/\[([A-Z]{2}\d+)\]/g)) cited.set(id, file.path);
}

test("[AR6] rules are written in one form, once each, in the room of their prefix", () => {
	const wrong: string[] = [];
	for (const { path, lines } of readSpecs()) {
		const prefix = /^# ([A-Z]{2}): /.exec(lines[0] ?? "")?.[1];
		if (prefix === undefined) wrong.push(`${path} does not begin with "# XX: …"`);
		for (const line of lines) {
			const id = ruleOf(line);
			if (id !== undefined && !id.startsWith(prefix ?? "")) wrong.push(`${id} stands in ${path}`);
			if (line.startsWith("- ") && !/^- \*\*[A-Z]{2}\d+\*\* .+[.)]$/.test(line))
				wrong.push(`not of the form "- **ID** Sentence.": ${line}`);
		}
	}
	expect([...wrong, ...rules.filter((id, at) => rules.indexOf(id) !== at)]).toEqual([]);
});

test("[AR6] the index names every room that has rules, and nothing else", () => {
	const listed = [...index.matchAll(/^\| ([A-Z]{2}) \| .+ \| \[(.+)\]\((.+)\) \|$/gm)].map(([, prefix, room, file]) => ({
		prefix,
		room,
		file,
	}));
	const there = readSpecs().map(({ path, lines }) => ({ prefix: lines[0]?.slice(2, 4), room: path.replace("/SPEC.md", ""), file: path }));
	const byPrefix = (a: { prefix?: string }, b: { prefix?: string }) => (a.prefix ?? "").localeCompare(b.prefix ?? "");
	expect(listed.sort(byPrefix)).toEqual(there.sort(byPrefix));
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
