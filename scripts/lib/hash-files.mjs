import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { ROOT } from "./places.mjs";

/**
 * One hash over names and contents of files and folders, tests left out; a missing one counts as absent.
 * @param {string[]} paths relative to the checkout
 */
export function hashFiles(paths) {
	const hash = createHash("sha256");
	for (const path of paths) {
		for (const file of filesUnder(join(ROOT, path)))
			hash
				.update(`${relative(ROOT, file)}\0`)
				.update(readFileSync(file))
				.update("\0");
	}
	return hash.digest("hex");
}

/** @param {string} path @returns {string[]} */
function filesUnder(path) {
	const stats = statSync(path, { throwIfNoEntry: false });
	if (stats === undefined) return [];
	return stats.isFile() ? [path] : filesIn(path);
}

/**
 * Every start goes through a thousand files: what the folder says of an entry is believed, and only a link is looked at.
 * @param {string} folder @returns {string[]}
 */
function filesIn(folder) {
	return readdirSync(folder, { withFileTypes: true })
		.filter((entry) => !/(?:\.test|-harness)\.tsx?$/.test(entry.name) && entry.name !== "node_modules" && entry.name !== "dist")
		.sort((a, b) => (a.name < b.name ? -1 : 1))
		.flatMap((entry) => {
			const path = join(folder, entry.name);
			if (entry.isFile()) return [path];
			return entry.isDirectory() ? filesIn(path) : filesUnder(path);
		});
}
