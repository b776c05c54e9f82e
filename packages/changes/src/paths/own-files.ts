import { realpathSync } from "node:fs";
import { latin1Of } from "./byte-path.ts";

/** Places that are never recorded, with all that is in them: the files of whoever runs the recorder. Absolute, latin1. */
export type OwnFiles = readonly string[];

/** With the real paths beside the given ones: what is recorded is known by its real path. */
export function findOwnFiles(paths: readonly string[]): OwnFiles {
	return [...new Set(paths.flatMap((path) => [latin1Of(path), realOf(path)]))];
}

/** Is this path, absolute and real, one of them? */
export function isOwnFile(path: string, own: OwnFiles): boolean {
	return own.some((place) => path === place || path.startsWith(`${place}/`));
}

/** Its name in its real folder; it need not be there yet. */
function realOf(path: string): string {
	const at = path.lastIndexOf("/");
	try {
		return realpathSync(path.slice(0, at), { encoding: "buffer" }).toString("latin1") + latin1Of(path.slice(at));
	} catch {
		// No such folder: then nothing in it has another name either.
		return latin1Of(path);
	}
}
