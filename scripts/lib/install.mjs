import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { hashFiles } from "./hash-files.mjs";
import { linkWorkspaces } from "./link-workspaces.mjs";
import { withLock } from "./lock.mjs";
import { NODE_MODULES, ROOT } from "./places.mjs";
import { withProgress } from "./progress.mjs";
import { runNpm } from "./run.mjs";
import { installRuntime, installTrouble, isRuntimeInstalled, QUIET, readJson } from "./runtime-package.mjs";

/**
 * `run` is what building and running needs; `all` adds what only tests and checks need.
 * @typedef {"run" | "all"} Scope
 */

const STAMP = join(NODE_MODULES, ".rightseat.json");

/** Installs what the lock file says, if it is missing or stale. @param {Scope} scope */
export async function ensureInstalled(scope) {
	linkWorkspaces();
	if (isInstalled(scope) && isRuntimeInstalled()) return;
	await withLock("install", async () => {
		if (!isInstalled(scope)) await install(scope);
		if (!isRuntimeInstalled()) await installRuntime();
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

/** @param {Scope} scope */
const writeStamp = (scope) => writeFileSync(STAMP, JSON.stringify({ hash: lockHash(), scope }));
