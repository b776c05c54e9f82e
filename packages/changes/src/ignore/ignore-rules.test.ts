import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MAX_RULES, parseIgnoreRules } from "./ignore-rules.ts";

let folder = "";
beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "rightseat-ignore-"));
	execFileSync("git", ["init", "-q", folder]);
	// Git asks the disk what is a folder.
	for (const path of PATHS.filter(isFolder)) mkdirSync(join(folder, path), { recursive: true });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What git says about each path, the folders above it left out: each stands alone in the rules. */
function askGit(rules: string, paths: readonly string[]): boolean[] {
	writeFileSync(join(folder, ".gitignore"), Buffer.from(rules, "latin1"));
	const { stdout } = spawnSync("git", ["-C", folder, "check-ignore", "--no-index", "--stdin", "-z", "-v", "-n"], {
		input: Buffer.from(paths.map((path) => `${path}\0`).join(""), "latin1"),
		encoding: "latin1",
	});
	const fields = stdout.split("\0");
	// A pattern that begins with `!` is one that takes back.
	return paths.map((_, at) => (fields[at * 4 + 2] ?? "") !== "" && !(fields[at * 4 + 2] ?? "").startsWith("!"));
}

/** The same with the folders above: what lies in an ignored folder is ignored. */
function ask(rules: string, path: string, isFolder: boolean): boolean {
	const parsed = parseIgnoreRules(rules);
	const names = path.split("/");
	return names.some((_, at) => {
		const isLast = at === names.length - 1;
		return parsed.judge(names.slice(0, at + 1).join("/"), isLast ? isFolder : true) === true;
	});
}

const PATHS = [
	...[
		"a",
		"b",
		"foo",
		"foo/a",
		"foo/bar",
		"foo/bar/a",
		"bar",
		"bar/foo",
		"x/foo/y",
		"a.o",
		"x/a.o",
		"x/y/a.o",
		"build/",
		"x/build/",
		"build/a",
	],
	...[
		"#a",
		"!a",
		"a b",
		"a ",
		"doc/frotz/",
		"frotz/",
		"a/doc/frotz/",
		"aXb",
		"a-b",
		"a]b",
		"a/b/c/d",
		"café\xe9",
		"1",
		"Z",
		"x/1",
		"deep/er/foo/a",
	],
];
const RULES = [
	...[
		"a",
		"*.o",
		"foo/",
		"/foo",
		"foo/bar",
		"foo/*",
		"**/foo",
		"foo/**",
		"a/**/d",
		"**/bar/a",
		"!foo",
		"*",
		"/*",
		"!/foo",
		"*/foo",
		"build/",
	],
	...[
		"#a",
		"\\#a",
		"\\!a",
		"a\\ ",
		"a b ",
		"doc/frotz/",
		"[ab]",
		"[!ab]",
		"[a-z]",
		"a[X-]b",
		"a[]]b",
		"[[:digit:]]",
		"?",
		"a?b",
		"x/**/a.o",
		"**",
		"/**",
	],
	...[
		"caf*",
		"\\a",
		"a\\",
		"[",
		"/",
		"//",
		"foo//bar",
		"**/",
		"x/",
		"*/*",
		"f*o",
		"*o*",
		"**foo",
		"foo**",
		"[[:upper:]]",
		"a\r",
		"!*",
		"*.o\n!a.o",
		"/x/*\n!/x/a.o",
	],
];

const isFolder = (path: string) => path.endsWith("/") || PATHS.some((other) => other.startsWith(`${path}/`));
const bare = (path: string) => path.replace(/\/$/, "");

test.each(RULES)("[CH10] the rule %j means what git means by it", (rule) => {
	const expected = askGit(rule, PATHS.map(bare));
	expect(PATHS.filter((path) => ask(rule, bare(path), isFolder(path)))).toEqual(PATHS.filter((_, at) => expected[at]));
});

test("[CH10] lists of random rules mean what git means by them", () => {
	let seed = 11;
	const pick = <T>(list: readonly T[]): T | undefined => {
		seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
		return list[(seed >> 8) % list.length];
	};
	for (let round = 0; round < 60; round += 1) {
		const rules = Array.from({ length: 6 }, () => pick(RULES)).join("\n");
		const expected = askGit(rules, PATHS.map(bare));
		const ignored = PATHS.filter((path) => ask(rules, bare(path), isFolder(path)));
		expect({ rules, ignored }).toEqual({ rules, ignored: PATHS.filter((_, at) => expected[at]) });
	}
});

test("[CH10] the number of rules is bounded, and no rule makes a name slow to judge", () => {
	const many = parseIgnoreRules(`${"x\n".repeat(MAX_RULES)}a`);
	expect([many.judge("a", false), many.judge("x", false)]).toEqual([undefined, true]);
	const nasty = parseIgnoreRules("*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b\n**/a/**/a/**/a/**/a/**/a/**/b");
	const begun = performance.now();
	expect(nasty.judge("a".repeat(250), false)).toBe(undefined);
	expect(nasty.judge("a/".repeat(500), false)).toBe(undefined);
	expect(performance.now() - begun).toBeLessThan(1_000);
});
