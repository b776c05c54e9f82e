import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createFileFinder, scoreOf } from "./file-finder.ts";
import { createWorkRoots } from "./work-roots.ts";

let root: string;
beforeEach(() => {
	root = mkdtempSync(join(tmpdir(), "rightseat-files-"));
});
afterEach(() => rmSync(root, { recursive: true }));
const file = (path: string) => {
	mkdirSync(join(root, path, ".."), { recursive: true });
	writeFileSync(join(root, path), "");
};

test("[HT12] files are found by a few letters of their path, names first", async () => {
	for (const path of ["src/app.ts", "src/deep/web-app.test.ts", "docs/apple.md", "a/p/p/other.txt", "zzz.txt"]) file(path);
	const finder = createFileFinder(createFakeClock());
	expect(await finder.find(root, "app")).toEqual(["src/app.ts", "docs/apple.md", "src/deep/web-app.test.ts", "a/p/p/other.txt"]);
	expect(await finder.find(root, "SRC/APP")).toEqual(["src/app.ts", "src/deep/web-app.test.ts"]);
	expect(await finder.find(root, "nothing-like-it")).toEqual([]);
});

test("[HT12] version control, dependencies and links are left out, and the answer is bounded", async () => {
	for (const path of [".git/config", "node_modules/x/index.js", "kept.txt"]) file(path);
	symlinkSync("/etc", join(root, "link"));
	for (let i = 0; i < 80; i += 1) file(`many/file-${i}.txt`);
	const finder = createFileFinder(createFakeClock());
	const all = await finder.find(root, "");
	expect(all).toHaveLength(50);
	expect(all[0]).toBe("kept.txt");
	expect(await finder.find(root, "config")).toEqual([]);
	expect(await finder.find(root, "passwd")).toEqual([]);
});

test("[HT12] letters must occur in order", () => {
	expect(scoreOf("src/router.ts", "srt")).toBeDefined();
	expect(scoreOf("src/router.ts", "tsr")).toBeUndefined();
});

test("[SE29] a directory counts as inside a root by its real path only", () => {
	mkdirSync(join(root, "in/deep"), { recursive: true });
	mkdirSync(join(root, "in-sibling"));
	mkdirSync(join(root, "in/..strange"));
	symlinkSync("/", join(root, "in/out"));
	writeFileSync(join(root, "in/file"), "");
	const roots = createWorkRoots([join(root, "in")], root);
	expect(roots.check(join(root, "in/deep"))).toBe(join(root, "in/deep"));
	expect(roots.check("~/in")).toBe(join(root, "in"));
	expect(roots.check(join(root, "in/..strange"))).toBe(join(root, "in/..strange"));
	for (const path of ["in-sibling", "in/out", "in/out/etc", "in/../in-sibling", "in/file", "in/missing"]) {
		expect(() => roots.check(`${root}/${path}`), path).toThrow();
	}
	expect(() => roots.check("in")).toThrow("whole path");
	expect(() => roots.check(`${root}/in\0`)).toThrow();
	expect(createWorkRoots([], root).check("/")).toBe("/");
});
