import { promises } from "node:fs";
import { homedir, tmpdir } from "node:os";

/** Where a folder's files are recorded: the top of its work tree, else itself. Real paths as latin1. */
export interface FoundRoot {
	readonly root: string;
	/** Too much lies below it: `/`, the home directory, the temporary directory. Only named files are covered there. */
	readonly refused: boolean;
}

/** Looks upwards for `.git` without running git. Rejects when the folder is not there. May take as long as the disk below it. */
export async function findRoot(
	cwd: string,
	places: { home: string; temporary: string } = { home: homedir(), temporary: tmpdir() },
): Promise<FoundRoot> {
	const real = await realPath(Buffer.from(cwd, "latin1"));
	const refused = new Set(["/", await realOrSame(places.home), await realOrSame(places.temporary)]);
	for (let folder = real; !refused.has(folder); folder = folder.slice(0, Math.max(1, folder.lastIndexOf("/")))) {
		if (await exists(`${folder}/.git`)) return { root: folder, refused: false };
	}
	return { root: real, refused: refused.has(real) };
}

async function realPath(path: Buffer): Promise<string> {
	return (await promises.realpath(path, { encoding: "buffer" })).toString("latin1");
}

async function realOrSame(path: string): Promise<string> {
	return realPath(Buffer.from(path)).catch(() => Buffer.from(path).toString("latin1"));
}

async function exists(path: string): Promise<boolean> {
	return promises.lstat(Buffer.from(path, "latin1")).then(
		() => true,
		() => false,
	);
}
