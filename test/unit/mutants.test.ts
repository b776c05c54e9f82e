import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { MUTANTS } from "../mutants/mutants.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

test("[CF111] every mutant in the list still breaks one place of the source and names tests that exist", () => {
	const wrong = MUTANTS.flatMap(({ name, file, search, replace, tests }) => {
		const found = existsSync(join(ROOT, file)) ? read(file).split(search).length - 1 : 0;
		const missing = tests.filter((path) => !existsSync(join(ROOT, path)));
		return found === 1 && search !== replace && tests.length > 0 && missing.length === 0 ? [] : [{ name, file, found, missing }];
	});
	expect(wrong).toEqual([]);
	expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
});

test("[CF112] the published score names every mutant of the list, and none survives", () => {
	const published = read("docs/mutation.md");
	expect(MUTANTS.filter(({ name, file }) => !published.includes(`| ${name} | \`${file}\` |`)).map(({ name }) => name)).toEqual([]);
	expect(published).toContain(`**Score: ${MUTANTS.length} of ${MUTANTS.length} noticed, 0 survived.**`);
});
