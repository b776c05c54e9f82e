import { isAbsolute, relative, resolve, sep } from "node:path";
import { AppError } from "../../core/kernel/errors.ts";
import type { Folders } from "../../core/ports/folders.ts";

/** Where people may work. Looks at real paths, so a link inside a root that leads out of it does not count as inside. */
export interface WorkRoots {
	/** The real path. Rejects with an error that says what is wrong with it. */
	check(path: string): Promise<string>;
	contains(realPath: string): Promise<boolean>;
	list(): Promise<string[]>;
}

export function createWorkRoots(roots: readonly string[], home: string, folders: Pick<Folders, "look">): WorkRoots {
	const known = new Map<string, string>();

	/** A root that does not answer now is taken as it is written: nothing can be found inside it anyway, and the others still count. */
	async function realOf(root: string): Promise<string> {
		const real = known.get(root);
		if (real !== undefined) return real;
		const found = await folders.look(root).catch((error: unknown) => {
			if (error instanceof AppError) return undefined;
			throw error;
		});
		if (found !== undefined) known.set(root, found.realPath);
		return found?.realPath ?? resolve(root);
	}
	const list = () => Promise.all(roots.map(realOf));

	return {
		async check(path) {
			const expanded = path === "~" || path.startsWith("~/") ? `${home}${path.slice(1)}` : path;
			if (!isAbsolute(expanded) || expanded.includes("\0"))
				throw new AppError("cwd-missing", "Give the whole path of a directory.", { params: { reason: "not-absolute" } });
			const found = await folders.look(expanded);
			if (found?.isDirectory !== true)
				throw new AppError("cwd-missing", `There is no directory ${expanded}.`, { params: { reason: "missing", path: expanded } });
			const real = await list();
			if (!isInsideAny(real, found.realPath)) {
				throw new AppError("forbidden", `${expanded} is outside the directories set in RIGHTSEAT_ROOTS (${real.join(", ")}).`, {
					params: { reason: "outside-roots", path: expanded, roots: real.join(", ") },
				});
			}
			return found.realPath;
		},
		contains: async (path) => isInsideAny(await list(), path),
		list,
	};
}

const isInsideAny = (roots: string[], path: string) => roots.length === 0 || roots.some((root) => isInside(root, path));

function isInside(root: string, path: string): boolean {
	const way = relative(root, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
