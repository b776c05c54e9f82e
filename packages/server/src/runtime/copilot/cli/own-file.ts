import { constants } from "node:fs";
import { type FileHandle, lstat, open } from "node:fs/promises";

/**
 * A plain file of this user, opened without following a link: undefined when it is none. A session folder may come from anywhere, and a link in it
 * would lead to any file that the server can read. Rejects with what the disk says, `ENOENT` included.
 */
export async function openOwnFile(path: string): Promise<{ file: FileHandle; size: number; modifiedAt: Date } | undefined> {
	const before = await lstat(path);
	if (!before.isFile() || !isOurs(before.uid)) return undefined;
	const file = await open(path, constants.O_RDONLY | NO_FOLLOW);
	try {
		const { size, uid, mtime, ...found } = await statOf(file);
		if (found.isFile && isOurs(uid)) return { file, size, modifiedAt: mtime };
	} catch (error) {
		await file.close();
		throw error;
	}
	await file.close();
	return undefined;
}

/** The beginning of one; undefined when there is no such file. */
export async function readOwnText(path: string, maxBytes: number): Promise<string | undefined> {
	const opened = await openOwnFile(path).catch(() => undefined);
	if (opened === undefined) return undefined;
	try {
		const { bytesRead, buffer } = await opened.file.read(Buffer.alloc(Math.min(maxBytes, opened.size)), 0, undefined, 0);
		return buffer.subarray(0, bytesRead).toString("utf8");
	} finally {
		await opened.file.close();
	}
}

/** A directory of this user that is no link. */
export async function isOwnFolder(path: string): Promise<boolean> {
	const found = await lstat(path).catch(() => undefined);
	return found?.isDirectory() === true && isOurs(found.uid);
}

async function statOf(file: FileHandle) {
	const found = await file.stat();
	return { isFile: found.isFile(), size: found.size, uid: found.uid, mtime: found.mtime };
}

// Neither is known on Windows.
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;
const isOurs = (uid: number) => process.getuid === undefined || process.getuid() === uid;
