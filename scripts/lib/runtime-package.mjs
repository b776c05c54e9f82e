import { accessSync, chmodSync, constants, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { withLock } from "./lock.mjs";
import { CACHE, IS_CHECKOUT, NODE_MODULES, ROOT, RUNTIME_LOCK } from "./places.mjs";
import { Trouble, withProgress } from "./progress.mjs";
import { runNpm } from "./run.mjs";

/**
 * @typedef {import("./platform-packages.mjs").LockedPackage} LockedPackage
 * @typedef {{ packages?: Record<string, LockedPackage> }} Lock
 */

const SDK = "@github/copilot-sdk";
/** What npm is told wherever we call it. */
export const QUIET = [
	"--no-audit",
	"--no-fund",
	"--loglevel=error",
	"--fetch-retries=2",
	"--fetch-retry-mintimeout=1000",
	"--fetch-retry-maxtimeout=8000",
];

/** Whether the runtime's package lies in the node_modules of the checkout. */
export const isRuntimeInstalled = () => existsSync(join(NODE_MODULES, runtimePackage().name, "package.json"));

/** Puts the runtime's package into the node_modules of the checkout, as npm would have. */
export async function installRuntime() {
	const runtime = runtimePackage();
	await fetchRuntime(runtime, { to: join(NODE_MODULES, runtime.name), workIn: join(CACHE, "runtime-package") });
}

/**
 * An installed package fetches the runtime at its first start. It lies beside the package where that may be written, and among the person's
 * cached files where not; never in node_modules, from which npm removes what it does not know.
 * @param {{ fetch: boolean, check: () => Promise<void> }} what without `fetch` only what is there is used; `check` may refuse before anything is fetched
 */
export async function useFetchedRuntime({ fetch, check }) {
	if (process.env.COPILOT_CLI_PATH !== undefined) return;
	const runtime = runtimePackage();
	const places = [join(ROOT, ".runtime"), join(cacheHome(), "rightseat", "runtime")];
	const folderIn = (/** @type {string} */ place) => join(place, `${runtime.platform}-${runtime.version}`);
	const program = (/** @type {string} */ place) =>
		join(folderIn(place), "prebuilds", runtime.platform, process.platform === "win32" ? "copilot-runtime.exe" : "copilot-runtime");
	let place = places.find((each) => existsSync(program(each)));
	if (place === undefined && fetch) {
		await check();
		const chosen = places.find(isWritable) ?? join(cacheHome(), "rightseat", "runtime");
		await withLock(
			"runtime",
			async () => {
				if (existsSync(program(chosen))) return;
				await fetchRuntime(runtime, { to: folderIn(chosen), workIn: join(chosen, "fetching") });
				chmodSync(program(chosen), 0o755);
			},
			chosen,
		);
		place = chosen;
	}
	if (place !== undefined) process.env.COPILOT_CLI_PATH = program(place);
}

/** @param {{ name: string, version: string }} runtime @param {{ to: string, workIn: string }} where both on one file system */
async function fetchRuntime({ name, version }, { to, workIn }) {
	await withProgress(`Installing the Copilot runtime for this platform (${name}, once)`, async () => {
		// In a directory of its own: npm would otherwise rearrange the rest of node_modules around it.
		rmSync(workIn, { recursive: true, force: true });
		mkdirSync(workIn, { recursive: true });
		const { files, args, isPinned } = runtimeInstall({ name, version }, readLock());
		for (const [file, content] of Object.entries(files)) writeFileSync(join(workIn, file), JSON.stringify(content));
		if (!isPinned) {
			console.error(`  WARNING: there is no checksum of ${name} here, so npm can only compare it with what the registry says about it.`);
			console.error("  Where you trust the registry, node scripts/lock-platforms.mjs in a checkout writes the checksums down.");
		}
		const { code, output } = await runNpm([...args, "--ignore-scripts", ...QUIET], { cwd: workIn });
		if (code !== 0) {
			rmSync(workIn, { recursive: true, force: true });
			throw fetchTrouble(`${name}@${version}`, output);
		}
		mkdirSync(dirname(to), { recursive: true });
		rmSync(to, { recursive: true, force: true });
		renameSync(join(workIn, "node_modules", name), to);
		rmSync(workIn, { recursive: true, force: true });
	});
}

/** @param {string} what @param {string} output */
function fetchTrouble(what, output) {
	if (/EINTEGRITY/.test(output)) {
		return new Trouble(
			`The Copilot runtime that the registry sent is not the one that belongs to this version: the checksum of ${what} differs. Nothing was installed. Check the registry that npm uses (npm config get registry).`,
		);
	}
	if (/E404|EBADPLATFORM|ETARGET/.test(output)) {
		return new Trouble(`There is no Copilot runtime for this platform (${process.platform} ${process.arch}): ${what} was not found.`);
	}
	return installTrouble(output);
}

/**
 * What npm is given to fetch the runtime alone: with the checksum of our lock file, which npm then insists on, wherever the lock file has it.
 * @param {{ name: string, version: string }} runtime
 * @param {Lock | undefined} lock
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

/** The part of a lock file that an installed package needs: the SDK and the checksums of its runtime. @param {Lock} lock */
export function runtimeLock(lock) {
	const entries = Object.entries(lock.packages ?? {}).filter(([path]) => path.startsWith(`node_modules/${SDK}`));
	return { packages: Object.fromEntries(entries) };
}

function runtimePackage() {
	const sdk = readJson(join(NODE_MODULES, SDK, "package.json")) ?? readLock()?.packages?.[`node_modules/${SDK}`];
	const platform = `${process.platform === "linux" && isMusl() ? "linuxmusl" : process.platform}-${process.arch}`;
	const name = `${SDK}-${platform}`;
	return { name, platform, version: sdk?.optionalDependencies?.[name] ?? sdk?.version ?? "latest" };
}

const readLock = () => readJson(IS_CHECKOUT ? join(ROOT, "package-lock.json") : RUNTIME_LOCK);

const isMusl = () =>
	["x86_64", "aarch64"].some((machine) => existsSync(`/lib/ld-musl-${machine}.so.1`)) && !existsSync("/lib64/ld-linux-x86-64.so.2");

const cacheHome = () => process.env.XDG_CACHE_HOME || join(homedir(), ".cache");

/** @param {string} folder */
function isWritable(folder) {
	try {
		mkdirSync(folder, { recursive: true });
		accessSync(folder, constants.W_OK);
		return true;
	} catch {
		// Somebody else's, or read-only: the next place is tried.
		return false;
	}
}

/** @param {string} output of npm */
export function installTrouble(output) {
	if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(output)) {
		return new Trouble(
			"Could not reach the npm registry. Check the network (or the proxy settings of npm) and run the same command again.",
		);
	}
	if (/ENOSPC/.test(output)) return new Trouble("The disk is full: Rightseat needs about 400 MB for its dependencies.");
	return new Trouble(`Installing the dependencies failed. npm said:\n${output.trim().split("\n").slice(-20).join("\n")}`);
}

/**
 * A package.json or a lock file.
 * @param {string} file
 * @returns {LockedPackage & Lock | undefined}
 */
export function readJson(file) {
	return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
