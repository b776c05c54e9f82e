import { constants } from "node:fs";
import { open, opendir, realpath } from "node:fs/promises";
import { isAbsolute, relative, sep } from "node:path";
import type { FolderSetupItem } from "@rightseat/protocol/http/folders";

/** A file of a set-up that is larger is not read, and that is said. */
export const MAX_SETUP_FILE_BYTES = 262_144;
/** Of a directory so many entries are looked at. */
export const MAX_SETUP_ENTRIES = 1_000;

/** What may be read: everything in `top`, without what is hidden. Real paths. */
export interface Inside {
	top: string;
	hidden: readonly string[];
}

type Problem = NonNullable<FolderSetupItem["problem"]>;
type Missing = { kind: "missing" };
type Refused = { kind: "problem"; problem: Problem };

/** A whole small file. A pipe or a device in its place is not waited for, and a link that leads out is not followed. */
export async function readTextInside(path: string, inside: Inside): Promise<{ kind: "text"; text: string } | Missing | Refused> {
	const real = await resolveInside(path, inside);
	if (real.kind !== "real") return real;
	const file = await open(real.path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(() => undefined);
	if (file === undefined) return refused("unreadable");
	try {
		const found = await file.stat();
		if (!found.isFile()) return refused("unreadable");
		// One byte more than allowed: a file that grows meanwhile is too large as well.
		const bytes = Buffer.alloc(Math.min(found.size, MAX_SETUP_FILE_BYTES) + 1);
		const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
		if (found.size > MAX_SETUP_FILE_BYTES || bytesRead > MAX_SETUP_FILE_BYTES) return refused("too-large");
		return { kind: "text", text: bytes.toString("utf8", 0, bytesRead).replace(/^\uFEFF/, "") };
	} catch {
		return refused("unreadable");
	} finally {
		await file.close();
	}
}

/** The names in a directory, in order. `more`: there are others. */
export async function readNamesInside(
	path: string,
	inside: Inside,
): Promise<{ kind: "names"; names: string[]; more: boolean } | Missing | Refused> {
	const real = await resolveInside(path, inside);
	if (real.kind !== "real") return real;
	const names: string[] = [];
	try {
		for await (const { name } of await opendir(real.path)) {
			if (names.length >= MAX_SETUP_ENTRIES) return { kind: "names", names: names.sort(), more: true };
			names.push(name);
		}
	} catch (error) {
		// A file in its place brings nothing.
		return codeOf(error) === "ENOTDIR" ? { kind: "missing" } : refused("unreadable");
	}
	return { kind: "names", names: names.sort(), more: false };
}

async function resolveInside(path: string, { top, hidden }: Inside): Promise<{ kind: "real"; path: string } | Missing | Refused> {
	try {
		const real = await realpath(path);
		if (!isInside(top, real) || hidden.some((own) => isInside(own, real))) return refused("outside");
		return { kind: "real", path: real };
	} catch (error) {
		return codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR" ? { kind: "missing" } : refused("unreadable");
	}
}

const refused = (problem: Problem): Refused => ({ kind: "problem", problem });

function isInside(root: string, path: string): boolean {
	const way = relative(root, path);
	return way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "unknown");
