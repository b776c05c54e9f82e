import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ROOT, readSources } from "./support/source-files.ts";
import { listRules, readSpecs } from "./support/spec-files.ts";

const spec = readSpecs().flatMap(({ lines }) => lines);
const document = readFileSync(join(ROOT, "docs/requirements.md"), "utf8").split("\n");
const tests = new Map(readSources(["packages", "test"], /\.test\.tsx?$/).map(({ path, text }) => [shortPath(path), text]));

const rules = new Set(listRules());
const scenarios = document.flatMap((line) => {
	const [, id = "", names = "", files = ""] = /^\| (R\d+\.\d+) \| .+ \| ([A-Z0-9, ]+) \| (.+) \|$/.exec(line) ?? [];
	return id === "" ? [] : [{ id, rules: names.split(", "), files: files.split(", ").map((file) => file.replaceAll("`", "")) }];
});

test("[AR120] every scenario names rules that exist and the test files that prove them", () => {
	expect(document.filter((line) => line.startsWith("| R"))).toHaveLength(scenarios.length);
	const wrong = scenarios.flatMap((scenario) => [
		...scenario.rules.filter((rule) => !rules.has(rule)).map((rule) => `${scenario.id}: no rule ${rule}`),
		...scenario.rules
			.filter((rule) => !scenario.files.some((file) => tests.get(file)?.includes(`[${rule}]`)))
			.map((rule) => `${scenario.id}: none of its files cites ${rule}`),
		...scenario.files.filter((file) => !tests.has(file)).map((file) => `${scenario.id}: no test ${file}`),
	]);
	expect(wrong).toEqual([]);
});

test("[AR120] requirements are numbered without gaps, and each has scenarios", () => {
	const numbers = document.flatMap((line) => /^### R(\d+):/.exec(line)?.[1] ?? []).map(Number);
	expect(numbers).toEqual(numbers.map((_, index) => index + 1));
	expect(numbers.filter((number) => !scenarios.some(({ id }) => id.startsWith(`R${number}.`)))).toEqual([]);
});

test("[AR120] a requirement that a rule names lists that rule, and the other way round", () => {
	const said = spec.flatMap((line) => {
		const [, rule = "", names = ""] = /^- \*\*([A-Z]{2}\d+)\*\* .*\((R\d+(?:, R\d+)*)\)\.$/.exec(line) ?? [];
		return rule === "" ? [] : names.split(", ").map((requirement) => `${requirement} ${rule}`);
	});
	const listed = scenarios.flatMap(({ id, rules: ids }) => ids.map((rule) => `${id.replace(/\..*/, "")} ${rule}`));
	expect([...new Set(said)].sort()).toEqual([...new Set(listed)].sort());
});

test("[AR121] no file refers to a document that is not in the repository", () => {
	const found = readSources(["."], /\.(?:md|ts|tsx|mjs|js|json|css|html|yml)$/)
		.filter(({ text }) => /\bseeds? 00\d|\bseed documents?\b/i.test(text))
		.map(({ path }) => path);
	expect(found).toEqual([]);
});

function shortPath(path: string): string {
	return path.replace(/^packages\/(\w+)\/src\//, "$1/");
}
