import {
	closeSync,
	constants,
	fchmodSync,
	fchownSync,
	fdatasyncSync,
	linkSync,
	openSync,
	type Stats,
	symlinkSync,
	unlinkSync,
	writeSync,
} from "node:fs";
import type { Blobs, PathState } from "../model.ts";
import { errorCode, type Reading } from "../walk/read-path.ts";
import type { Folder } from "./folder.ts";
import type { Native } from "./native.ts";
import type { UndoReason } from "./reason.ts";

/** What writing a path needs. */
export interface WriteBench {
	readonly blobs: Blobs;
	readonly native: Native;
	/** Called between any two steps that somebody else, or a crash, could come between. */
	readonly between: (step: string) => void;
	/** Bytes are on the disk before they get their name: a power cut leaves the old or the new ones. */
	readonly sync: boolean;
}

/** What became of a path. `kept`: bytes of somebody else that lost their name meanwhile; they are in the store. */
export type Written =
	| { readonly done: true; readonly kept?: PathState }
	| { readonly done: false; readonly reason: UndoReason; readonly kept?: PathState };

export const left = (reason: UndoReason, kept?: PathState): Written => ({ done: false, reason, ...(kept === undefined ? {} : { kept }) });

const NEW_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/** The target as a new file or link under a name of our own. */
export function prepare(
	folder: Folder,
	name: string,
	{ target, like, bench: { blobs, sync } }: { target: PathState; like?: Stats | undefined; bench: WriteBench },
): UndoReason | undefined {
	if (target.kind === "link") {
		symlinkSync(Buffer.from(target.target, "latin1"), folder.at(name));
		return undefined;
	}
	if (target.kind !== "file") return "failed";
	const bytes = blobs.get(target.hash);
	if (bytes === undefined) return "expired";
	const file = openSync(folder.at(name), NEW_FILE, 0o600);
	try {
		for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
		if (like !== undefined) giveTo(file, like);
		// After the bytes: writing takes the set-user-id bit away.
		fchmodSync(file, target.mode);
		if (sync) fdatasyncSync(file);
	} catch (error) {
		const reason = reasonOf(error);
		drop(folder, name);
		return reason;
	} finally {
		closeSync(file);
	}
	return undefined;
}

/** The same owner and group, where we may: root's undo must not take a person's file away from them. */
function giveTo(file: number, { uid, gid }: Stats): void {
	if (uid === process.getuid?.() && gid === process.getgid?.()) return;
	try {
		fchownSync(file, uid, gid);
	} catch (error) {
		if (errorCode(error) === "") throw error;
	}
}

/** Removes a name of our own; what is not there is gone. */
export function drop(folder: Folder, name: string): void {
	try {
		unlinkSync(folder.at(name));
	} catch (error) {
		if (errorCode(error) !== "ENOENT") throw error;
	}
}

/** Gives what has a name of our own its place back, unless something is there by now. */
export function putBack(folder: Folder, { from, to }: { from: string; to: string }, { native }: WriteBench): boolean {
	const code = native.renameNew(folder.at(from), folder.at(to));
	if (code !== "ENOSYS") return code === "";
	try {
		linkSync(folder.at(from), folder.at(to));
	} catch (error) {
		if (errorCode(error) === "") throw error;
		return false;
	}
	unlinkSync(folder.at(from));
	return true;
}

/** The bytes of somebody else under a name of ours: into the store, then the name goes. What cannot be stored keeps the name. */
export function keep(folder: Folder, name: string, { blobs }: WriteBench): PathState | undefined {
	const { state, bytes }: Reading = folder.read(name);
	if (state.kind === "unknown" || state.kind === "folder" || state.kind === "absent") return undefined;
	if (bytes !== undefined) blobs.put(bytes);
	drop(folder, name);
	return state;
}

/** What the error of a system call means for a person; anything else is a fault of ours and goes on. */
export function reasonOf(error: unknown): UndoReason {
	switch (errorCode(error)) {
		case "":
			throw error;
		case "EACCES":
		case "EPERM":
		case "EROFS":
		case "ETXTBSY":
			return "not-allowed";
		case "ENOSPC":
		case "EDQUOT":
		case "store-full":
			return "disk-full";
		case "EEXIST":
		case "EISDIR":
			return "in-the-way";
		case "ENOENT":
		case "ESTALE":
			return "changed-meanwhile";
		case "ENOTEMPTY":
			return "folder-not-empty";
		case "ENOTDIR":
		case "ELOOP":
			return "link-in-path";
		default:
			return "failed";
	}
}
