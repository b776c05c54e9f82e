import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { copyTree } from "../mutants/copy-tree.ts";
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

test("[CF111] a mutant in one of our packages is what the others import; libraries are shared", () => {
	const temporary = realpathSync(mkdtempSync(join(tmpdir(), "rightseat-copy-")));
	const [root, copy] = [join(temporary, "root"), join(temporary, "copy")];
	try {
		for (const path of ["node_modules/@rightseat", "node_modules/zod", "packages/protocol/node_modules/x"]) {
			mkdirSync(join(root, path), { recursive: true });
		}
		writeFileSync(join(root, "packages/protocol/text.ts"), "");
		symlinkSync("../../packages/protocol", join(root, "node_modules/@rightseat/protocol"));
		mkdirSync(copy);
		copyTree(root, copy);
		expect(realpathSync(join(copy, "node_modules/@rightseat/protocol/text.ts"))).toBe(join(copy, "packages/protocol/text.ts"));
		expect(realpathSync(join(copy, "node_modules/zod"))).toBe(join(root, "node_modules/zod"));
		expect(existsSync(join(copy, "packages/protocol/node_modules"))).toBe(false);
	} finally {
		rmSync(temporary, { recursive: true, force: true });
	}
});

test("[CF112] the published score names every mutant of the list, and none survives", () => {
	const published = read("docs/mutation.md");
	expect(MUTANTS.filter(({ name, file }) => !published.includes(`| ${name} | \`${file}\` |`)).map(({ name }) => name)).toEqual([]);
	expect(published).toContain(`**Score: ${MUTANTS.length} of ${MUTANTS.length} noticed, 0 survived.**`);
});
