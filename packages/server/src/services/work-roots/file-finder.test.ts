import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createFakeClock } from "../../../../../test/support/fake-clock.ts";
import { createLocalFolders } from "../../../../../test/support/local-folders.ts";
import { AppError } from "../../core/kernel/errors.ts";
import { createFileFinder, scoreOf, WALK_LIMIT_MS } from "./file-finder.ts";
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

test("[HT12] a folder that never answers hides no other file, and is counted", async () => {
	for (const path of ["a/one.txt", "dead/two.txt", "top.txt"]) file(path);
	const clock = createFakeClock();
	let asked = false;
	const finder = createFileFinder(clock, (directory) => {
		if (!directory.endsWith("/dead")) return readdir(directory, { withFileTypes: true });
		asked = true;
		return new Promise(() => undefined);
	});
	const found = finder.find(root, "");
	await expect.poll(() => asked).toBe(true);
	await clock.advance(WALK_LIMIT_MS);
	expect(finder.stuck).toBe(1);
	expect((await found).toSorted()).toEqual(["a/one.txt", "top.txt"]);
});

test("[SE29] a directory counts as inside a root by its real path only", async () => {
	mkdirSync(join(root, "in/deep"), { recursive: true });
	mkdirSync(join(root, "in-sibling"));
	mkdirSync(join(root, "in/..strange"));
	symlinkSync("/", join(root, "in/out"));
	writeFileSync(join(root, "in/file"), "");
	const folders = createLocalFolders(createFakeClock());
	const roots = createWorkRoots([join(root, "in")], root, folders);
	expect(await roots.check(join(root, "in/deep"))).toBe(join(root, "in/deep"));
	expect(await roots.check("~/in")).toBe(join(root, "in"));
	expect(await roots.check(join(root, "in/..strange"))).toBe(join(root, "in/..strange"));
	for (const path of ["in-sibling", "in/out", "in/out/etc", "in/../in-sibling", "in/file", "in/missing"]) {
		await expect(roots.check(`${root}/${path}`), path).rejects.toThrow();
	}
	await expect(roots.check("in")).rejects.toThrow("whole path");
	await expect(roots.check(`${root}/in\0`)).rejects.toThrow("whole path");
	expect(await createWorkRoots([], root, folders).check("/")).toBe("/");
});

test("[SH104] a root that does not answer keeps nobody out of the others", async () => {
	const dead = new AppError("folder-not-answering", "No answer.");
	const look = async (path: string) => {
		if (path.startsWith("/dead")) throw dead;
		return { realPath: path, isDirectory: true };
	};
	const roots = createWorkRoots(["/dead", "/fine"], root, { look });
	expect(await roots.check("/fine/project")).toBe("/fine/project");
	expect(await roots.list()).toEqual(["/dead", "/fine"]);
	await expect(roots.check("/other")).rejects.toMatchObject({ code: "forbidden" });
	await expect(roots.check("/dead/project")).rejects.toBe(dead);
});
