/**
 * @typedef {{ version?: string, license?: string, integrity?: string, link?: boolean, hasInstallScript?: boolean, dependencies?: Record<string, string>, devDependencies?: Record<string, string>, optionalDependencies?: Record<string, string>, os?: string[], cpu?: string[] }} Entry
 * @typedef {{ packages: Record<string, Entry> }} Lock
 * @typedef {{ path: string, name: string, version: string, license: string, integrity: string | undefined, kind: "bundled" | "installed" | "platform", needs: string[] }} Shipped
 */

/** What only builds the page and leaves nothing of itself in it. */
const PAGE_BUILDERS = new Set(["@tailwindcss/vite", "@vitejs/plugin-react", "vite"]);
const OWN = /^@rightseat\//;
const RUNTIME = /^node_modules\/@github\/copilot-sdk-/;

/**
 * Every package of others that reaches the machine of whoever installs Rightseat, from the lock file: `bundled` is within our files, `installed` comes by npm, `platform` is
 * one of several of which a machine gets one at the most.
 * @param {Lock} lock
 * @returns {Shipped[]}
 */
export function shippedPackages(lock) {
	const root = lock.packages[""] ?? {};
	const outside = new Set(Object.keys(root.dependencies ?? {}));
	/** @type {Map<string, Shipped>} */
	const shipped = new Map();

	/** @param {string} path @param {Shipped["kind"]} kind */
	function add(path, kind) {
		const entry = lock.packages[path];
		if (entry === undefined || shipped.has(path)) return;
		const name = path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
		const needed = kind === "platform" ? [] : resolveAll(path, Object.keys(entry.dependencies ?? {}));
		const optional = kind === "installed" ? resolveAll(path, Object.keys(entry.optionalDependencies ?? {})) : [];
		shipped.set(path, {
			path,
			name,
			version: entry.version ?? "",
			license: entry.license ?? "",
			integrity: entry.integrity,
			kind,
			needs: [...needed, ...optional],
		});
		for (const each of needed) add(each, kind === "bundled" && outside.has(nameOf(each)) ? "installed" : kind);
		for (const each of optional) add(each, "platform");
	}

	/** @param {string} from @param {string[]} names */
	const resolveAll = (from, names) => names.flatMap((name) => resolve(lock, from, name) ?? []);

	for (const name of outside) for (const path of resolveAll("", [name])) add(path, "installed");
	for (const [folder, entry] of Object.entries(lock.packages)) {
		if (!/^packages\/[^/]+$/.test(folder)) continue;
		const named = folder === "packages/web" ? { ...entry.dependencies, ...entry.devDependencies } : entry.dependencies;
		const names = Object.keys(named ?? {}).filter((name) => !OWN.test(name) && !PAGE_BUILDERS.has(name) && !name.startsWith("@types/"));
		for (const path of resolveAll(folder, names)) add(path, outside.has(nameOf(path)) ? "installed" : "bundled");
	}
	for (const path of Object.keys(lock.packages)) if (RUNTIME.test(path)) add(path, "platform");
	return [...shipped.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** @param {string} path */
const nameOf = (path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);

/** Where Node would find it: beside whoever asks, else further up. @param {Lock} lock @param {string} from @param {string} name */
function resolve(lock, from, name) {
	for (let folder = from; ; folder = folder.replace(/(?:^|\/)(?:node_modules\/(?:@[^/]+\/)?[^/]+|packages\/[^/]+)$/, "")) {
		const path = `${folder === "" ? "" : `${folder}/`}node_modules/${name}`;
		if (lock.packages[path] !== undefined) return path;
		if (folder === "") return undefined;
	}
}
