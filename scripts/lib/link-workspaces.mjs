import { existsSync, lstatSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { ROOT } from "./places.mjs";

/**
 * Links every workspace into node_modules, as npm does. A pull that brings a new workspace into an installed checkout then needs no new install:
 * all its libraries may be there already, and only the link is missing.
 */
export function linkWorkspaces(root = ROOT) {
	const modules = join(root, "node_modules");
	if (!existsSync(modules)) return;
	for (const folder of readJson(join(root, "package.json")).workspaces ?? []) {
		const { name } = readJson(join(root, folder, "package.json"));
		if (name === undefined) throw new Error(`${folder}/package.json has no name.`);
		const link = join(modules, ...name.split("/"));
		if (lstatSync(link, { throwIfNoEntry: false }) !== undefined) continue;
		mkdirSync(dirname(link), { recursive: true });
		symlinkSync(relative(dirname(link), join(root, folder)), link, "dir");
	}
}

/** @param {string} file @returns {{ name?: string, workspaces?: string[] }} */
const readJson = (file) => JSON.parse(readFileSync(file, "utf8"));
