import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { requireSupportedNode } from "./lib/node-version.mjs";
import { CACHE, ROOT } from "./lib/places.mjs";
import { runScript, Trouble } from "./lib/progress.mjs";
import { lockWithVersion, mayFollow, packageProblems, withSection, withVersion } from "./lib/release-files.mjs";
import { run, runNpm } from "./lib/run.mjs";

const USAGE = "Usage: npm run release -- VERSION [--dry-run] [--tests-passed]";

requireSupportedNode();
await runScript(async () => {
	const { version, isRehearsal, testsPassed } = readArguments(process.argv.slice(2));
	const manifests = readManifests();
	await requireReady(version, manifests);
	await requireTests({ isRehearsal, testsPassed });
	const date = new Date().toISOString().slice(0, 10);
	const before = new Map([...manifests, "package-lock.json", "CHANGELOG.md"].map((file) => [file, readFileSync(join(ROOT, file), "utf8")]));
	let isReleased = false;
	const restore = () => {
		if (!isReleased) for (const [file, text] of before) writeFileSync(join(ROOT, file), text);
	};
	process.once("SIGINT", () => {
		restore();
		process.exit(130);
	});
	try {
		for (const [file, text] of before) writeFileSync(join(ROOT, file), released(file, text, version, date));
		const { file, hash, files } = await packTwice(version);
		if (isRehearsal) rmSync(file);
		else {
			await git(["commit", "--quiet", "-m", `chore(release): ${version}`, "--", ...before.keys()]);
			isReleased = true;
			await git(["tag", "-a", `v${version}`, "-m", `Rightseat ${version}`]);
		}
		console.log(`rightseat-${version}.tgz: ${files} files, the same bytes when packed twice\nsha512-${hash}`);
		if (isRehearsal) console.log("This was a rehearsal: nothing was changed. Without --dry-run it becomes a commit and a tag.");
		else
			console.log(
				`Committed and tagged. To publish, a person runs:\n  git push origin HEAD v${version}\n  npm publish rightseat-${version}.tgz`,
			);
	} finally {
		restore();
	}
});

/** @param {string[]} args */
function readArguments(args) {
	const flags = args.filter((arg) => arg.startsWith("-"));
	const [version, ...more] = args.filter((arg) => !arg.startsWith("-"));
	const unknown = flags.find((flag) => flag !== "--dry-run" && flag !== "--tests-passed");
	if (unknown !== undefined) throw new Trouble(`Unknown flag ${unknown}. ${USAGE}`);
	if (version === undefined || more.length > 0) throw new Trouble(USAGE);
	return { version, isRehearsal: flags.includes("--dry-run"), testsPassed: flags.includes("--tests-passed") };
}

/** Every package.json of ours, from the checkout. */
function readManifests() {
	const folders = readdirSync(join(ROOT, "packages")).map((name) => `packages/${name}/package.json`);
	return ["package.json", ...folders.filter((file) => existsSync(join(ROOT, file)))];
}

/** @param {string} version @param {string[]} manifests */
async function requireReady(version, manifests) {
	const current = JSON.parse(readFileSync(join(ROOT, manifests[0] ?? ""), "utf8")).version;
	if (!mayFollow(version, current)) throw new Trouble(`${version} is not a version that may follow ${current}. ${USAGE}`);
	const changed = await git(["status", "--porcelain"]);
	if (changed !== "") throw new Trouble(`The working tree is not clean. Commit or remove these first:\n${changed}`);
	if ((await git(["tag", "--list", `v${version}`])) !== "") throw new Trouble(`The tag v${version} is there already.`);
}

/** @param {{ isRehearsal: boolean, testsPassed: boolean }} flags */
async function requireTests({ isRehearsal, testsPassed }) {
	if (testsPassed) return;
	if (isRehearsal) return console.error("The tests are not run in a rehearsal.");
	const { code } = await runNpm(["test", "--", "--strict"], { show: true });
	if (code !== 0) throw new Trouble("The tests fail: nothing is released. (--tests-passed says that they passed at this very commit.)");
}

/** @param {string} file @param {string} text @param {string} version @param {string} date */
function released(file, text, version, date) {
	if (file === "CHANGELOG.md") return withSection(text, version, date);
	return file === "package-lock.json" ? lockWithVersion(text, version) : withVersion(text, version);
}

/** The package at its place, after another one had the same bytes and nothing was wrong with it. @param {string} version */
async function packTwice(version) {
	const name = `rightseat-${version}.tgz`;
	const made = [await pack(name), await pack(name)];
	try {
		const [hash, again] = made.map((file) => createHash("sha512").update(readFileSync(file)).digest("base64"));
		if (hash !== again) throw new Trouble(`Packed twice, ${name} has different bytes: it cannot be checked by anybody else.`);
		const [file = ""] = made;
		const names = (await tar(["-tzf", file])).trim().split("\n");
		const [manifest, bill] = await Promise.all(
			["package.json", "sbom.cdx.json"].map(async (part) => JSON.parse(await tar(["-xzOf", file, `package/${part}`]))),
		);
		const problems = packageProblems({ names, bytes: statSync(file).size, manifest, bill }, version);
		if (problems.length > 0) throw new Trouble(`${name} is not as it should be:\n${problems.map((each) => `  ${each}`).join("\n")}`);
		renameSync(file, join(ROOT, name));
		return { file: join(ROOT, name), hash, files: names.length };
	} finally {
		for (const file of made) rmSync(join(file, ".."), { recursive: true, force: true });
	}
}

/** @param {string} name */
async function pack(name) {
	mkdirSync(CACHE, { recursive: true });
	const folder = mkdtempSync(join(CACHE, "release-"));
	const { code, output } = await runNpm(["pack", "--loglevel=error", "--pack-destination", folder]);
	if (code !== 0) throw new Trouble(`npm pack failed:\n${output.trim()}`);
	return join(folder, name);
}

/** @param {string[]} args */
function tar(args) {
	return outputOf("tar", args);
}

/** @param {string[]} args */
function git(args) {
	return outputOf("git", args);
}

/** @param {string} program @param {string[]} args */
async function outputOf(program, args) {
	const { code, output } = await run(program, args);
	if (code !== 0) throw new Trouble(`${program} ${args[0]} failed:\n${output.trim()}`);
	return output.trim();
}
