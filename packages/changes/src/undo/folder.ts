import { closeSync, constants, existsSync, lstatSync, openSync } from "node:fs";
import { fsPath } from "../paths/byte-path.ts";
import { errorCode, type Reading, readPath } from "../walk/read-path.ts";

/** A folder that is held, so that nobody can put a link in its place while something in it is looked at or written. */
export interface Folder {
	/** What Node's functions take for a name in it. */
	at(name: string): string | Buffer;
	/** A path that stands for the folder itself. */
	readonly place: string;
	read(name: string): Reading;
	close(): void;
}

/** `gone`: nothing there; `link-in-path`: on the way there is a link, or something that is no folder. */
export type NoFolder = "gone" | "link-in-path" | "not-allowed";

/** What is open can be named by its number; not everywhere, and not in every container. */
export const HOLDS = process.platform === "linux" && existsSync("/proc/self/fd");
/** Names something without opening it for reading; Node has no name for it. */
export const O_PATH = HOLDS ? 0o10000000 : 0;
const FLAGS = O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** The folder of this path below the root, reached one name at a time and never through a link. */
export function openFolder(root: string, path: string): Folder | NoFolder {
	return HOLDS ? heldFolder(root, path) : checkedFolder(root, path);
}

function heldFolder(root: string, path: string): Folder | NoFolder {
	let held = -1;
	try {
		held = openSync(fsPath(root, ""), FLAGS);
		for (const name of namesOf(path)) {
			const inner = openSync(fsPath(`/proc/self/fd/${held}`, name), FLAGS);
			closeSync(held);
			held = inner;
		}
		return folderAt(`/proc/self/fd/${held}`, held);
	} catch (error) {
		if (held !== -1) closeSync(held);
		return whyNot(errorCode(error));
	}
}

/** Without `/proc` a folder can be checked, but not held. */
function checkedFolder(root: string, path: string): Folder | NoFolder {
	let whole = root;
	try {
		for (const name of ["", ...namesOf(path)]) {
			whole = name === "" ? whole : `${whole}/${name}`;
			if (!lstatSync(fsPath(whole, "")).isDirectory()) return "link-in-path";
		}
		return folderAt(whole, -1);
	} catch (error) {
		return whyNot(errorCode(error));
	}
}

const namesOf = (path: string) => path.split("/").filter((name) => name !== "");

const folderAt = (place: string, held: number): Folder => ({
	place,
	at: (name) => fsPath(place, name),
	read: (name) => readPath(place, name),
	close() {
		if (held !== -1) closeSync(held);
	},
});

const whyNot = (code: string): NoFolder =>
	code === "ENOENT" ? "gone" : code === "EACCES" || code === "EPERM" ? "not-allowed" : "link-in-path";
