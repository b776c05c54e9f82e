/**
 * @typedef {{ version?: string, integrity?: string, optionalDependencies?: Record<string, string>, [field: string]: unknown }} LockedPackage
 * @typedef {{ packages: Record<string, LockedPackage>, [field: string]: unknown }} LockFile
 */

/**
 * The packages of the agent's runtime, one for each platform, that the lock file has no checksum of.
 * @param {LockFile} lock
 * @returns {{ name: string, version: string }[]}
 */
export function unpinnedPlatforms(lock) {
	const wanted = lock.packages["node_modules/@github/copilot-sdk"]?.optionalDependencies ?? {};
	return Object.entries(wanted)
		.filter(([name, version]) => {
			const entry = lock.packages[`node_modules/${name}`];
			return entry?.version !== version || entry.integrity === undefined;
		})
		.map(([name, version]) => ({ name, version }));
}

/**
 * The lock file with what the registry says about these packages; those that it does not have stay out.
 * @param {LockFile} lock
 * @param {{ name: string, version: string, found: { integrity?: string, cpu?: string[], os?: string[], libc?: string[], license?: string } | undefined }[]} answers
 */
export function withPlatforms(lock, answers) {
	const added = answers.flatMap(({ name, version, found }) => {
		if (found?.integrity === undefined) return [];
		const { integrity, cpu, os, libc, license } = found;
		/** @type {[string, LockedPackage]} */
		const entry = [
			`node_modules/${name}`,
			{ version, integrity, ...(cpu && { cpu }), ...(libc && { libc }), ...(license && { license }), optional: true, ...(os && { os }) },
		];
		return [entry];
	});
	const [root, ...rest] = Object.entries(lock.packages);
	const packages = [...rest, ...added].sort(([a], [b]) => (a < b ? -1 : 1));
	return { ...lock, packages: Object.fromEntries([...(root === undefined ? [] : [root]), ...packages]) };
}
