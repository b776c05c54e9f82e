import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { hashFiles } from "./hash-files.mjs";
import { linkWorkspaces } from "./link-workspaces.mjs";
import { withLock } from "./lock.mjs";
import { CACHE, NODE_MODULES, ROOT } from "./places.mjs";
import { Trouble, withProgress } from "./progress.mjs";
import { runNpm } from "./run.mjs";

/**
 * `run` is what building and running needs; `all` adds what only tests and checks need.
 * @typedef {"run" | "all"} Scope
 */

const STAMP = join(NODE_MODULES, ".rightseat.json");
const QUIET = [
	"--no-audit",
	"--no-fund",
	"--loglevel=error",
	"--fetch-retries=2",
	"--fetch-retry-mintimeout=1000",
	"--fetch-retry-maxtimeout=8000",
];

/** Installs what the lock file says, if it is missing or stale. @param {Scope} scope */
export async function ensureInstalled(scope) {
	linkWorkspaces();
	if (isInstalled(scope) && runtimePackage().present) return;
	await withLock("install", async () => {
		if (!isInstalled(scope)) await install(scope);
		const runtime = runtimePackage();
		if (!runtime.present) await installRuntime(runtime.name, runtime.version);
	});
}

const lockHash = () => hashFiles(["package-lock.json"]);

/** @param {Scope} scope */
function isInstalled(scope) {
	const stamp = readJson(STAMP);
	if (stamp?.hash === lockHash() && (stamp.scope === "all" || stamp.scope === scope)) return true;
	// Somebody may have run npm themselves: what it wrote down is what counts.
	const there = holdsEverything();
	if (there) writeStamp("all");
	return there;
}

/** True if everything the lock file names, other platforms' packages aside, is in node_modules in that version. */
function holdsEverything() {
	const wanted = readJson(join(ROOT, "package-lock.json"))?.packages ?? {};
	const there = readJson(join(NODE_MODULES, ".package-lock.json"))?.packages;
	if (there === undefined) return false;
	return Object.entries(wanted).every(
		([path, entry]) =>
			!path.includes("node_modules/") ||
			entry.link === true ||
			entry.optional === true ||
			entry.peer === true ||
			there[path]?.version === entry.version,
	);
}

/** @param {Scope} scope */
async function install(scope) {
	const parts = scope === "run" ? ["--workspaces", "--include-workspace-root=false"] : [];
	const title = scope === "run" ? "Installing dependencies (once; about half a minute)" : "Installing dependencies and test tools";
	await withProgress(title, async () => {
		let { code, output } = await runNpm(["ci", ...parts, ...QUIET]);
		if (code !== 0 && /EUSAGE|Missing: .* from lock file/.test(output)) {
			// A registry copy may lack packages of other platforms; a plain install does not mind.
			console.error("  npm ci does not accept the lock file here; trying npm install");
			({ code, output } = await runNpm(["install", "--no-save", ...parts, ...QUIET]));
		}
		if (code !== 0) throw installTrouble(output);
	});
	writeStamp(scope);
}

/** @param {string} name @param {string} version */
async function installRuntime(name, version) {
	await withProgress(`Installing the Copilot runtime for this platform (${name})`, async () => {
		// In a directory of its own: npm would otherwise rearrange the rest of node_modules around it.
		const prefix = join(CACHE, "runtime-package");
		rmSync(prefix, { recursive: true, force: true });
		mkdirSync(prefix, { recursive: true });
		const { files, args, isPinned } = runtimeInstall({ name, version }, readJson(join(ROOT, "package-lock.json")));
		for (const [file, content] of Object.entries(files)) writeFileSync(join(prefix, file), JSON.stringify(content));
		if (!isPinned) {
			console.error(
				`  WARNING: the lock file has no checksum of ${name}, so npm can only compare it with what the registry says about it.`,
			);
			console.error("  Where you trust the registry, node scripts/lock-platforms.mjs writes the checksums down.");
		}
		const { code, output } = await runNpm([...args, "--ignore-scripts", ...QUIET], { cwd: prefix });
		if (code !== 0) {
			if (/E404|EBADPLATFORM|ETARGET/.test(output)) {
				throw new Trouble(
					`There is no Copilot runtime for this platform (${process.platform} ${process.arch}): ${name}@${version} was not found.`,
				);
			}
			throw installTrouble(output);
		}
		const target = join(NODE_MODULES, name);
		mkdirSync(dirname(target), { recursive: true });
		rmSync(target, { recursive: true, force: true });
		renameSync(join(prefix, "node_modules", name), target);
		rmSync(prefix, { recursive: true, force: true });
	});
}

/**
 * What npm is given to fetch the runtime alone: with the checksum of our lock file, which npm then insists on, wherever the lock file has it.
 * @param {{ name: string, version: string }} runtime
 * @param {{ packages?: Record<string, import("./platform-packages.mjs").LockedPackage> } | undefined} lock
 */
export function runtimeInstall({ name, version }, lock) {
	const entry = lock?.packages?.[`node_modules/${name}`];
	const dependencies = { [name]: version };
	const isPinned = entry?.version === version && typeof entry.integrity === "string";
	if (!isPinned)
		return { files: { "package.json": {} }, args: ["install", `${name}@${version}`, "--no-save", "--no-package-lock"], isPinned };
	const locked = {
		lockfileVersion: 3,
		requires: true,
		packages: { "": { dependencies }, [`node_modules/${name}`]: { ...entry, optional: false } },
	};
	return { files: { "package.json": { dependencies }, "package-lock.json": locked }, args: ["ci"], isPinned };
}

function runtimePackage() {
	const sdk = readJson(join(NODE_MODULES, "@github", "copilot-sdk", "package.json"));
	const platform = process.platform === "linux" && isMusl() ? "linuxmusl" : process.platform;
	const name = `@github/copilot-sdk-${platform}-${process.arch}`;
	return {
		name,
		version: sdk?.optionalDependencies?.[name] ?? sdk?.version ?? "latest",
		present: existsSync(join(NODE_MODULES, name, "package.json")),
	};
}

const isMusl = () =>
	["x86_64", "aarch64"].some((machine) => existsSync(`/lib/ld-musl-${machine}.so.1`)) && !existsSync("/lib64/ld-linux-x86-64.so.2");

/** @param {string} output */
function installTrouble(output) {
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
		return new Trouble(
			"Could not reach the npm registry. Check the network (or the proxy settings of npm) and run the same command again.",
		);
	}
	if (/ENOSPC/.test(output)) return new Trouble("The disk is full: Rightseat needs about 400 MB for its dependencies.");
	return new Trouble(`Installing the dependencies failed. npm said:\n${output.trim().split("\n").slice(-20).join("\n")}`);
}

/** @param {Scope} scope */
const writeStamp = (scope) => writeFileSync(STAMP, JSON.stringify({ hash: lockHash(), scope }));

/**
 * A package.json or a lock file.
 * @param {string} file
 * @returns {import("./platform-packages.mjs").LockedPackage & { packages?: Record<string, import("./platform-packages.mjs").LockedPackage> } | undefined}
 */
function readJson(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
