import { realpathSync, statSync } from "node:fs";
import { isAbsolute, relative, resolve, sep } from "node:path";
import { AppError } from "../../core/errors.ts";

/** Where people may work. Looks at real paths, so a link inside a root that leads out of it does not count as inside. */
export interface WorkRoots {
	/** The real path, or an error that says what is wrong with it. */
	check(path: string): string;
	contains(realPath: string): boolean;
	list(): string[];
}

export function createWorkRoots(roots: readonly string[], home: string): WorkRoots {
	const real = roots.map((root) => realOf(root) ?? resolve(root));
	const contains = (path: string) => real.length === 0 || real.some((root) => isInside(root, path));
	return {
		check(path) {
			const expanded = path === "~" || path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
			if (!isAbsolute(expanded) || expanded.includes("\0")) throw new AppError("cwd-missing", "Give the whole path of a directory.");
			const target = realOf(expanded);
			if (target === undefined || statSync(target, { throwIfNoEntry: false })?.isDirectory() !== true) {
				throw new AppError("cwd-missing", `There is no directory ${expanded}.`);
			}
			if (!contains(target)) {
				throw new AppError("forbidden", `${expanded} is outside the directories set in RIGHTSEAT_ROOTS (${real.join(", ")}).`);
			}
			return target;
		},
		contains,
		list: () => real,
	};
}

function realOf(path: string): string | undefined {
	try {
		return realpathSync(path);
	} catch (error) {
		if (error instanceof Error && "code" in error) return undefined;
		throw error;
	}
}

function isInside(root: string, path: string): boolean {
	const way = relative(root, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
