import type { Folders } from "../../ports/folders.ts";
import { isGitsOwn, isInside } from "./inside-folder.ts";
import type { Match } from "./rule-match.ts";

export type LookAtFolders = Pick<Folders, "look" | "git" | "entries">;

/** The real path of the folder that rules about `cwd` belong to: the root of its repository, or itself. Undefined when nothing is there. */
export async function ruleFolder(folders: LookAtFolders, cwd: string): Promise<{ cwd: string; folder: string } | undefined> {
	const here = await folders.look(cwd);
	if (here === undefined || !here.isDirectory) return undefined;
	const root = (await folders.git(here.realPath))?.root;
	const folder = root === undefined ? here : await folders.look(root);
	// Everything lies inside of the topmost folder, so a rule for it would have no limit.
	if (folder === undefined || folder.realPath === "/" || !isInside(folder.realPath, here.realPath)) return undefined;
	return { cwd: here.realPath, folder: folder.realPath };
}

/** Whether what the text of a command promises is so: no link leads out of the folder, and no `cd` into another repository. */
export async function holdsOnDisk(folders: LookAtFolders, match: Match & { covered: true }, folder: string): Promise<boolean> {
	const [, ...entered] = match.cwds;
	for (const cwd of entered) {
		const there = await ruleFolder(folders, cwd);
		// By a link the shell and the kernel would not agree on what `..` is.
		if (there === undefined || there.cwd !== cwd || there.folder !== folder) return false;
	}
	for (const cwd of match.cwds) if (await looksLikeRepository(folders, cwd, folder)) return false;
	for (const path of match.opens) if (!(await leadsInside(folders, path, folder))) return false;
	for (const path of match.writes) if (!(await mayWrite(folders, path, folder))) return false;
	return true;
}

/** Git takes a folder with such files for a repository before it looks further up, and obeys the configuration in it; any checkout may bring one. */
async function looksLikeRepository(folders: LookAtFolders, cwd: string, folder: string): Promise<boolean> {
	for (let at = cwd; isInside(folder, at); at = parentOf(at)) {
		if ((await folders.look(`${at}/HEAD`)) !== undefined) return true;
		if (at === folder) break;
	}
	return false;
}

/** Of a path that does not exist, as far as it does. */
async function leadsInside(folders: LookAtFolders, path: string, folder: string): Promise<boolean> {
	for (let at = path; isInside(folder, at); at = parentOf(at)) {
		const found = await folders.look(at);
		if (found !== undefined) return isInside(folder, found.realPath);
	}
	return false;
}

async function mayWrite(folders: LookAtFolders, path: string, folder: string): Promise<boolean> {
	const found = await folders.look(path);
	if (found !== undefined) return isInside(folder, found.realPath) && !isGitsOwn(found.realPath) && !found.isDirectory;
	const parent = await folders.look(parentOf(path));
	if (parent === undefined || !parent.isDirectory || !isInside(folder, parent.realPath) || isGitsOwn(parent.realPath)) return false;
	// A link to nothing is not found, and writing to it makes a file wherever it points.
	const { entries, more } = await folders.entries(parent.realPath, [folder]);
	return !more && !entries.some(({ name }) => name === path.slice(path.lastIndexOf("/") + 1));
}

const parentOf = (path: string) => path.slice(0, path.lastIndexOf("/")) || "/";
