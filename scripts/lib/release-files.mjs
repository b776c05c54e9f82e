import { Trouble } from "./progress.mjs";

/** @typedef {{ version?: string, dependencies?: Record<string, string>, devDependencies?: Record<string, string> }} Manifest */

/** True for a version that may follow `current`: it, or a later one. @param {string} version @param {string} current */
export function mayFollow(version, current) {
	const [next, now] = [version, current].map((each) => /^(\d+)\.(\d+)\.(\d+)(-[\w.]+)?$/.exec(each)?.slice(1));
	if (next === undefined || now === undefined) return false;
	for (let at = 0; at < 3; at++) if (Number(next[at]) !== Number(now[at])) return Number(next[at]) > Number(now[at]);
	// What comes before a release is older than it.
	return next[3] === undefined || (now[3] !== undefined && next[3] >= now[3]);
}

/** A package.json with another version, of itself and of our other packages that it names. @param {string} text @param {string} version */
export function withVersion(text, version) {
	return `${JSON.stringify(versioned(JSON.parse(text), version), null, "\t")}\n`;
}

/** The lock file, likewise. @param {string} text @param {string} version */
export function lockWithVersion(text, version) {
	const lock = JSON.parse(text);
	for (const [path, entry] of Object.entries(lock.packages)) {
		if (path === "" || path.startsWith("packages/")) lock.packages[path] = versioned(entry, version);
	}
	return `${JSON.stringify({ ...lock, version }, null, 2)}\n`;
}

/** @param {Manifest} manifest @param {string} version */
function versioned(manifest, version) {
	const named = (/** @type {Record<string, string>} */ all) =>
		Object.fromEntries(Object.entries(all).map(([name, of]) => [name, name.startsWith("@rightseat/") ? version : of]));
	return {
		...manifest,
		version,
		...(manifest.dependencies && { dependencies: named(manifest.dependencies) }),
		...(manifest.devDependencies && { devDependencies: named(manifest.devDependencies) }),
	};
}

/** The changelog with a section for the version, of all that was unreleased. @param {string} text @param {string} version @param {string} date */
export function withSection(text, version, date) {
	const [head, ...rest] = text.split(/^## Unreleased\n/m);
	const body = rest[0]?.split(/^## /m)[0]?.trim();
	if (rest.length !== 1 || body === undefined) throw new Trouble("CHANGELOG.md must have one section ## Unreleased.");
	if (body === "") throw new Trouble("CHANGELOG.md says nothing under ## Unreleased: there is nothing to release.");
	return `${head}## Unreleased\n\n## ${version} - ${date}\n${rest[0]}`;
}

/** Every file that a package may hold. */
const ALLOWED =
	/^package\/(?:[A-Z-]+\.(?:md|txt)|LICENSE|package\.json|sbom\.cdx\.json|scripts\/[\w/-]+\.mjs|packages\/server\/(?:package\.json|dist\/[\w/.-]+\.(?:js|json))|packages\/web\/dist\/[\w/.-]+)$/;
const FORBIDDEN = /\.(?:map|tsx?)$|\.sources$|\.test\.|\/\.env/;
const REQUIRED = [
	...["package.json", "LICENSE", "README.md", "CHANGELOG.md", "THIRD-PARTY-NOTICES.txt", "sbom.cdx.json", "scripts/rightseat.mjs"],
	...["main.js", "cli.js", "check-start.js", "shelld.js", "trackerd.js", "runtime-lock.json"].map((name) => `packages/server/dist/${name}`),
	"packages/web/dist/index.html",
].map((name) => `package/${name}`);
export const MAX_PACKAGE_BYTES = 5 * 1024 * 1024;

/**
 * What is wrong with a package, in sentences.
 * @param {{ names: string[], bytes: number, manifest: Manifest & { scripts?: Record<string, string> }, bill: { bomFormat?: string, metadata?: { component?: { version?: string } }, components?: unknown[] } }} content
 * @param {string} version
 */
export function packageProblems({ names, bytes, manifest, bill }, version) {
	const odd = names.filter((name) => !ALLOWED.test(name) || FORBIDDEN.test(name));
	const missing = REQUIRED.filter((name) => !names.includes(name));
	const scripts = Object.keys(manifest.scripts ?? {}).filter((name) => /^(?:pre|post)?(?:install|prepare)$/.test(name));
	const loose = Object.entries(manifest.dependencies ?? {}).filter(([, of]) => !/^\d+\.\d+\.\d+$/.test(of));
	const isBill = bill.bomFormat === "CycloneDX" && bill.metadata?.component?.version === version && (bill.components?.length ?? 0) > 0;
	return [
		...odd.map((name) => `${name} does not belong into the package.`),
		...missing.map((name) => `${name} is missing.`),
		...scripts.map((name) => `It has the install script ${name}.`),
		...loose.map(([name, of]) => `It names ${name} ${of}, which is not one exact version.`),
		...(bytes > MAX_PACKAGE_BYTES ? [`It has ${bytes} bytes; ${MAX_PACKAGE_BYTES} are allowed.`] : []),
		...(manifest.version === version ? [] : [`Its version is ${manifest.version}.`]),
		...(isBill ? [] : ["Its bill of materials is not one of this version."]),
	];
}
