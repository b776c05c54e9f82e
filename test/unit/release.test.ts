import { execFile, execFileSync } from "node:child_process";
import { appendFileSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { lockWithVersion, mayFollow, packageProblems, withSection } from "../../scripts/lib/release-files.mjs";
import { ROOT } from "./support/source-files.ts";

/** A small product with our scripts, a real repository, and files with the names that a package must have. */
let checkout: string;
const put = (path: string, content: unknown) => {
	mkdirSync(dirname(join(checkout, path)), { recursive: true });
	writeFileSync(join(checkout, path), typeof content === "string" ? content : `${JSON.stringify(content, null, "\t")}\n`);
};
const read = (path: string) => readFileSync(join(checkout, path), "utf8");
const git = (...args: string[]) =>
	execFileSync("git", ["-c", "user.name=A", "-c", "user.email=a@example.org", ...args], { cwd: checkout, encoding: "utf8" }).trim();
/** Stands in for npm, which takes seconds: packs the files that the manifest names, after its prepack. */
const NPM = `const { execFileSync } = require("node:child_process");
if (process.argv[2] !== "pack") process.exit(1);
const folder = process.argv[process.argv.indexOf("--pack-destination") + 1];
execFileSync(process.execPath, ["bill.cjs"]);
const { files, version } = require("./package.json");
const fixed = ["--sort=name", "--mtime=@0", "--transform=s,^,package/,", "--use-compress-program=gzip -n"];
const inside = (path) => (/dist$/.test(path) ? require("node:fs").readdirSync(path).map((name) => path + "/" + name) : [path]);
const all = ["package.json", "LICENSE", "README.md", ...files].flatMap(inside);
execFileSync("tar", ["-cf", folder + "/rightseat-" + version + ".tgz", ...fixed, ...all]);`;
const BILL = `const v = require("./package.json").version; require("fs").writeFileSync("sbom.cdx.json", JSON.stringify({ bomFormat: "CycloneDX", metadata: { component: { version: v } }, components: [1] }));`;

beforeEach(() => {
	checkout = mkdtempSync(join(tmpdir(), "rightseat-release-"));
	cpSync(join(ROOT, "scripts"), join(checkout, "scripts"), { recursive: true });
	const files = [
		"scripts/rightseat.mjs",
		"packages/server/dist",
		"packages/web/dist",
		"CHANGELOG.md",
		"THIRD-PARTY-NOTICES.txt",
		"sbom.cdx.json",
	];
	put("package.json", {
		name: "rightseat",
		version: "0.1.0",
		files,
		scripts: { prepack: "node bill.cjs" },
		dependencies: { koffi: "3.3.4" },
	});
	put("packages/server/package.json", {
		name: "@rightseat/server",
		version: "0.1.0",
		dependencies: { "@rightseat/shell": "0.1.0", ws: "1.0.0" },
	});
	put("package-lock.json", { version: "0.1.0", packages: { "": { version: "0.1.0" }, "node_modules/ws": { version: "1.0.0" } } });
	put("CHANGELOG.md", "# Changelog\n\n## Unreleased\n\n### Added\n- A thing.\n");
	put("bill.cjs", BILL);
	put("npm-cli.js", NPM);
	put(".gitignore", "sbom.cdx.json\n*.tgz\n.cache\n.npm\n");
	for (const name of ["LICENSE", "README.md", "THIRD-PARTY-NOTICES.txt", "packages/web/dist/index.html"]) put(name, "x");
	for (const name of ["main.js", "cli.js", "check-start.js", "shelld.js", "trackerd.js", "runtime-lock.json"])
		put(`packages/server/dist/${name}`, "1");
	git("init", "-q");
	for (const [name, value] of [
		["user.name", "A"],
		["user.email", "a@example.org"],
	] as const)
		git("config", name, value);
	git("add", "-A");
	git("commit", "-qm", "all");
});
afterEach(() => rmSync(checkout, { recursive: true, force: true }));

function release(...args: string[]) {
	return new Promise<{ code: unknown; output: string }>((resolve) => {
		const env = { PATH: process.env.PATH, HOME: checkout, npm_execpath: join(checkout, "npm-cli.js") };
		execFile(process.execPath, [join(checkout, "scripts/release.mjs"), ...args], { env, timeout: 60_000 }, (error, stdout, stderr) =>
			resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
		);
	});
}

test("[PK20] a release is one commit with the version everywhere, a section of the changelog, a tag and a package; publishing is left to a person", async () => {
	const { code, output } = await release("0.2.0", "--tests-passed");
	expect([code, output]).toEqual([0, expect.stringContaining("npm publish rightseat-0.2.0.tgz")]);
	expect([git("status", "--porcelain"), git("tag"), git("log", "-1", "--format=%s")]).toEqual(["", "v0.2.0", "chore(release): 0.2.0"]);
	expect(existsSync(join(checkout, "rightseat-0.2.0.tgz"))).toBe(true);
	expect(JSON.parse(read("packages/server/package.json"))).toMatchObject({
		version: "0.2.0",
		dependencies: { "@rightseat/shell": "0.2.0", ws: "1.0.0" },
	});
	expect(JSON.parse(read("package-lock.json"))).toMatchObject({
		version: "0.2.0",
		packages: { "": { version: "0.2.0" }, "node_modules/ws": { version: "1.0.0" } },
	});
	expect(read("CHANGELOG.md")).toMatch(/^# Changelog\n\n## Unreleased\n\n## 0\.2\.0 - \d{4}-\d\d-\d\d\n\n### Added\n- A thing\.\n$/);
});

test("[PK21] a rehearsal packs and checks, and changes nothing", async () => {
	const { code, output } = await release("0.2.0", "--dry-run");
	expect([code, output]).toEqual([0, expect.stringMatching(/the same bytes when packed twice\nsha512-\S+\nThis was a rehearsal/)]);
	expect([git("status", "--porcelain", "--ignored").replace(/!! (?:\.cache|sbom|\.npm).*\n?/g, ""), git("tag")]).toEqual(["", ""]);
});

test("[PK21] a package with a file too many, or with other bytes the second time, is not released, and everything is as before", async () => {
	put("packages/web/dist/secret.map", "x");
	put("bill.cjs", `${BILL}\nrequire("fs").writeFileSync("THIRD-PARTY-NOTICES.txt", String(process.hrtime.bigint()));`);
	git("add", "-A");
	git("commit", "-qm", "more");
	const odd = await release("0.2.0", "--tests-passed");
	expect([odd.code, odd.output]).toEqual([1, expect.stringContaining("has different bytes")]);
	put("bill.cjs", BILL);
	git("checkout", "-q", "--", "THIRD-PARTY-NOTICES.txt");
	git("commit", "-qam", "same");
	const more = await release("0.2.0", "--tests-passed");
	expect([more.code, more.output]).toEqual([
		1,
		expect.stringContaining("package/packages/web/dist/secret.map does not belong into the package."),
	]);
	expect([git("status", "--porcelain"), git("tag"), JSON.parse(read("package.json")).version]).toEqual(["", "", "0.1.0"]);
});

test("[PK22] a tree that is not clean, an older version, a tag that is there, tests that fail and an empty changelog are refused before anything changes", async () => {
	expect(await release("0.2.0", "--tests-passed", "--force")).toEqual({ code: 1, output: expect.stringMatching(/^Unknown flag --force/) });
	expect(await release("0.0.9", "--tests-passed")).toEqual({
		code: 1,
		output: expect.stringMatching(/^0\.0\.9 is not a version that may follow 0\.1\.0/),
	});
	// The stand-in for npm can only pack, so npm test fails.
	expect(await release("0.2.0")).toEqual({ code: 1, output: expect.stringContaining("The tests fail: nothing is released.") });
	git("tag", "v0.2.0");
	expect(await release("0.2.0", "--tests-passed")).toEqual({ code: 1, output: "The tag v0.2.0 is there already.\n" });
	appendFileSync(join(checkout, "README.md"), "more");
	expect(await release("0.3.0", "--tests-passed")).toEqual({ code: 1, output: expect.stringMatching(/^The working tree is not clean/) });
	expect(() => withSection("# Changelog\n\n## Unreleased\n\n## 0.1.0 - 2026-01-01\n- A\n", "0.2.0", "2026-01-02")).toThrow(
		"nothing to release",
	);
	expect(git("log", "--format=%s")).toBe("all");
});

test("[PK22] versions are compared as semantic versions", () => {
	const after = (current: string, versions: string[]) => versions.filter((version) => mayFollow(version, current));
	expect(after("0.9.0", ["0.9.0", "0.10.0", "1.0.0-rc.1", "0.8.9", "v1.0.0", "1.0", "latest"])).toEqual(["0.9.0", "0.10.0", "1.0.0-rc.1"]);
	expect(after("1.0.0-rc.1", ["1.0.0", "1.0.0-rc.2", "1.0.0-beta"])).toEqual(["1.0.0", "1.0.0-rc.2"]);
});

test("[PK21] what is wrong with a package is told sentence by sentence", () => {
	const manifest = { version: "1.0.0", scripts: { postinstall: "x" }, dependencies: { ws: "^1.0.0" } };
	const problems = packageProblems({ names: ["package/src/a.ts"], bytes: 9e6, manifest, bill: {} }, "1.0.1");
	expect(problems.filter((each) => !each.endsWith("is missing."))).toEqual([
		"package/src/a.ts does not belong into the package.",
		"It has the install script postinstall.",
		"It names ws ^1.0.0, which is not one exact version.",
		"It has 9000000 bytes; 5242880 are allowed.",
		"Its version is 1.0.0.",
		"Its bill of materials is not one of this version.",
	]);
});

test("[PK20] the lock file of this checkout keeps everything but our own versions", () => {
	const text = readFileSync(join(ROOT, "package-lock.json"), "utf8");
	const { version } = JSON.parse(text);
	expect(lockWithVersion(text, version)).toBe(text);
});
