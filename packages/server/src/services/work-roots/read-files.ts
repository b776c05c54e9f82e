import { constants } from "node:fs";
import { open, readdir, realpath, stat } from "node:fs/promises";
import { isAbsolute, join, relative, sep } from "node:path";
import type { FileBytes, FolderEntry } from "../../core/ports/folders.ts";

/** Entries of a folder that one look names. */
export const MAX_ENTRIES = 2_000;
/** Of one file that is read for a person. */
export const MAX_FILE_BYTES = 5 * 1_048_576;

/** What may be seen: folders with all that is in them, without what is hidden. Real paths. */
export interface View {
	within: readonly string[];
	/** Our own files: a look at them would show the access token. */
	hidden: readonly string[];
}

/** `outside`: it leads out of the folders that may be seen, by a link or by its name. `missing`: nothing is there that we may see. */
export type Refused = "outside" | "missing" | "not-a-folder" | "not-a-file";

/** What is directly in a folder: folders first, in order. Links are named and never followed. */
export async function readEntries(
	path: string,
	view: View,
): Promise<{ entries: FolderEntry[]; more: boolean; realPath: string } | Refused> {
	const real = await allowed(path, view);
	if (real === "outside" || real === "missing") return real;
	const found = await readdir(real.path, { withFileTypes: true }).catch((error: unknown) =>
		codeOf(error) === "ENOTDIR" ? "not-a-folder" : "missing",
	);
	if (typeof found === "string") return found === "not-a-folder" ? "not-a-folder" : "missing";
	const shown = found.filter(({ name }) => !view.hidden.includes(join(real.path, name)));
	const sorted = shown.sort((a, b) => Number(b.isDirectory()) - Number(a.isDirectory()) || a.name.localeCompare(b.name));
	const entries: FolderEntry[] = [];
	for (const entry of sorted.slice(0, MAX_ENTRIES)) {
		const kind = entry.isDirectory() ? "folder" : entry.isFile() ? "file" : entry.isSymbolicLink() ? "link" : "other";
		const size = kind === "file" ? (await stat(join(real.path, entry.name)).catch(() => undefined))?.size : undefined;
		entries.push({ name: entry.name, kind, ...(size === undefined ? {} : { size }) });
	}
	return { entries, more: sorted.length > entries.length, realPath: real.path };
}

/** The beginning of a regular file. A pipe or a device is never opened for reading. */
export async function readBytes(path: string, view: View): Promise<FileBytes | Refused> {
	const real = await allowed(path, view);
	if (real === "outside" || real === "missing") return real;
	const file = await open(real.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
	if (file === undefined) return "missing";
	try {
		const found = await file.stat();
		if (!found.isFile()) return "not-a-file";
		const bytes = Buffer.alloc(Math.min(found.size, MAX_FILE_BYTES));
		const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
		return { base64: bytes.subarray(0, bytesRead).toString("base64"), size: found.size, more: found.size > bytesRead, realPath: real.path };
	} finally {
		await file.close();
	}
}

async function allowed(path: string, { within, hidden }: View): Promise<{ path: string } | "outside" | "missing"> {
	const real = await realpath(path).catch(() => undefined);
	// Whether something is there outside is nobody's business.
	if (real === undefined) return within.some((root) => isInside(root, path)) ? "missing" : "outside";
	if (hidden.some((own) => isInside(own, real))) return "outside";
	return within.some((root) => isInside(root, real)) ? { path: real } : "outside";
}

function isInside(root: string, path: string): boolean {
	const way = relative(root, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
