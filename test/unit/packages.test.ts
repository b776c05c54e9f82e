import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { layerOf, packageOf } from "./support/layers.ts";
import { importsOf, ROOT, readSources } from "./support/source-files.ts";

interface PackageJson {
	dependencies?: Record<string, string>;
	devDependencies?: Record<string, string>;
	optionalDependencies?: Record<string, string>;
	allowScripts?: Record<string, boolean>;
}
interface LockEntry {
	version?: string;
	resolved?: string;
	integrity?: string;
	link?: boolean;
	hasInstallScript?: boolean;
}

const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const WORKSPACES = ["changes", "cli", "protocol", "server", "shell", "web"];
const manifests = ["package.json", ...WORKSPACES.map((name) => `packages/${name}/package.json`)];
const lock: { packages: Record<string, LockEntry> } = JSON.parse(read("package-lock.json"));
const installed = Object.entries(lock.packages).filter(([path, entry]) => path.includes("node_modules/") && entry.link !== true);

test("[AR9] every dependency is named in one exact version", () => {
	const loose = manifests.flatMap((path) => {
		const manifest: PackageJson = JSON.parse(read(path));
		const all = { ...manifest.dependencies, ...manifest.devDependencies, ...manifest.optionalDependencies };
		return Object.entries(all)
			.filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))
			.map(([name, version]) => `${path}: ${name} ${version}`);
	});
	expect(loose).toEqual([]);
});

test("[AR9] the lock file names no registry host and has a checksum for every package", () => {
	expect(read("package-lock.json")).not.toMatch(/https?:\/\/[^"]*\.tgz/);
	expect(installed.filter(([, entry]) => entry.integrity === undefined).map(([path]) => path)).toEqual([]);
});

test("[AR10] no dependency runs a script when it is installed", () => {
	const manifest: PackageJson = JSON.parse(read("package.json"));
	const running = installed.filter(([path, entry]) => {
		const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
		return entry.hasInstallScript === true && manifest.allowScripts?.[name] !== false;
	});
	expect(running.map(([path]) => path)).toEqual([]);
});

test("[AR10] the root names no package whose platform packages the lock file lacks, so that npm ci works", () => {
	const manifest: PackageJson = JSON.parse(read("package.json"));
	expect(Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })).not.toContain("@github/copilot-sdk");
});

test("[AR11] CI does what a person does: it only calls npm test", () => {
	const commands = read(".ci/run")
		.split("\n")
		.filter((line) => line.trim() !== "" && !line.startsWith("#"));
	expect(commands).toEqual(["set -euo pipefail", 'cd "$(dirname "$0")/.."', "npm test"]);
});

test("[AR12] a workspace imports only packages that it declares", () => {
	const undeclared = readSources(["packages"])
		.filter((file) => !file.isTest && layerOf(file.path) !== undefined)
		.flatMap((file) => {
			const manifest: PackageJson = JSON.parse(read(file.path.replace(/\/src\/.*$/, "/package.json")));
			const declared = new Set(["node:", ...Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })]);
			return importsOf(file.text)
				.filter(({ from }) => !from.startsWith(".") && !declared.has(packageOf(from)))
				.map(({ from }) => `${file.path} imports ${from}`);
		});
	expect(undeclared).toEqual([]);
});

test("[AR12] a workspace declares only packages that it uses", () => {
	const unused = WORKSPACES.flatMap((name) => {
		const manifest: PackageJson = JSON.parse(read(`packages/${name}/package.json`));
		const used = readSources([`packages/${name}`], /\.(?:ts|tsx|css|mjs)$/)
			.map((file) => file.text)
			.join("\n");
		return Object.keys({ ...manifest.dependencies, ...manifest.devDependencies })
			.filter((entry) => !entry.startsWith("@types/") && !new RegExp(`["']${entry}["'/]`).test(used))
			.map((entry) => `packages/${name}: ${entry}`);
	});
	expect(unused).toEqual([]);
});

test("[PK1] whatever the packed scripts import is packed too, but for what only a checkout needs", () => {
	const { files }: { files: string[] } = JSON.parse(read("package.json"));
	const scripts = files.filter((path) => /^scripts\/.*\.mjs$/.test(path));
	const imported = scripts.flatMap((path) =>
		[...read(path).matchAll(/^(?:import .*from |.*await import\()"(\.[^"]+)"/gm)].map(([, from = ""]) => join(path, "..", from)),
	);
	expect(scripts.length).toBeGreaterThan(5);
	expect([...new Set(imported.filter((path) => !files.includes(path)))].sort()).toEqual([
		"scripts/lib/build.mjs",
		"scripts/lib/install.mjs",
	]);
});
