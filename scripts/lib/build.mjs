import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compressFolder } from "./compress.mjs";
import { hashFiles } from "./hash-files.mjs";
import { withLock } from "./lock.mjs";
import { ROOT, toolPath } from "./places.mjs";
import { Trouble, withProgress } from "./progress.mjs";
import { runNode } from "./run.mjs";

/** @typedef {{ name: string, dist: string, sources: string[], build: () => Promise<void> }} Product */

const COMMON = ["package-lock.json", "tsconfig.base.json", "packages/protocol/src"];
const PACKAGES = ["shell", "changes", "cli"].flatMap((name) => [`packages/${name}/src`, `packages/${name}/package.json`]);

/** @type {Product} */
const server = {
	name: "server",
	dist: join(ROOT, "packages/server/dist"),
	sources: [...COMMON, ...PACKAGES, "packages/server/src", "packages/server/package.json", "packages/server/rolldown.config.mjs"],
	build: () => runBuilder(toolPath("rolldown", "bin/cli.mjs"), ["-c", "rolldown.config.mjs", "--logLevel", "warn"], "packages/server"),
};

/** @type {Product} */
const page = {
	name: "page",
	dist: join(ROOT, "packages/web/dist"),
	sources: [
		...COMMON,
		...[
			"src",
			"public",
			"index.html",
			"vite.config.ts",
			"standalone-scripts.config.ts",
			"chunk-groups.config.ts",
			"package.json",
			"tsconfig.json",
		].map((path) => `packages/web/${path}`),
		"scripts/lib/compress.mjs",
	],
	async build() {
		await runBuilder(toolPath("vite", "bin/vite.js"), ["build", "--logLevel", "warn"], "packages/web");
		await compressFolder(page.dist);
	},
};

/** Builds what changed since it was built last. */
export async function ensureBuilt() {
	if (stale().length === 0) return;
	await withLock("build", async () => {
		const products = stale();
		if (products.length === 0) return;
		await withProgress(`Building the ${products.map(({ name }) => name).join(" and the ")}`, () => Promise.all(products.map(build)));
	});
}

const stale = () => [server, page].filter((product) => !isFresh(product));

/** @param {Product} product */
async function build(product) {
	// Taken before: a source that changes meanwhile makes the result stale again.
	const hash = hashFiles(product.sources);
	await product.build();
	writeFileSync(stampOf(product), hash);
}

/** @param {Product} product */
const stampOf = (product) => join(product.dist, ".sources");

/** @param {Product} product */
function isFresh(product) {
	const stamp = stampOf(product);
	return existsSync(stamp) && readFileSync(stamp, "utf8") === hashFiles(product.sources);
}

/** @param {string} tool @param {string[]} args @param {string} folder */
async function runBuilder(tool, args, folder) {
	const { code, output } = await runNode(tool, args, { cwd: join(ROOT, folder), env: { ...process.env, NODE_ENV: "production" } });
	if (code !== 0) throw new Trouble(`Building ${folder} failed:\n${output.trim()}`);
}
