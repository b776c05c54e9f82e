import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { basename, join } from "node:path";

const LEFT_OUT = new Set(["node_modules", ".git", "dist", "images"]);
const OWN_SCOPE = "@rightseat";

/**
 * Copies the sources. Libraries are shared with the original, our own packages are not: `node_modules` links to them, and tests
 * that import a package through that link would see the original and never the mutant.
 */
export function copyTree(root: string, copy: string): void {
	cpSync(root, copy, { recursive: true, filter: (path) => path === root || !LEFT_OUT.has(basename(path)) });
	const modules = join(copy, "node_modules");
	mkdirSync(join(modules, OWN_SCOPE), { recursive: true });
	for (const name of readdirSync(join(root, "node_modules"))) {
		if (name !== OWN_SCOPE) symlinkSync(join(root, "node_modules", name), join(modules, name));
	}
	for (const name of readdirSync(join(root, "node_modules", OWN_SCOPE)))
		symlinkSync(join(copy, "packages", name), join(modules, OWN_SCOPE, name));
}
