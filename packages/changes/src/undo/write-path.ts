import {
	chmodSync,
	closeSync,
	constants,
	fchmodSync,
	fstatSync,
	linkSync,
	mkdirSync,
	openSync,
	renameSync,
	rmdirSync,
	symlinkSync,
} from "node:fs";
import { nameOf } from "../paths/byte-path.ts";
import { errorCode } from "../walk/read-path.ts";
import { type Folder, HOLDS, O_PATH } from "./folder.ts";
import { isEntry, isSameContent, isSameState } from "./path-states.ts";
import type { PlanEntry } from "./plan-entry.ts";
import { drop, keep, left, prepare, putBack, reasonOf, type WriteBench, type Written } from "./write-bench.ts";
import { writeInPlace } from "./write-in-place.ts";

/** Makes a path what the plan says, if it still is what the plan saw. Whoever writes it in the very moment wins; no byte of theirs is lost. */
export function writeEntry(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	try {
		if (isSameContent(entry.expected, entry.target) && !entry.apart) return setMode(folder, entry, bench);
		if (entry.inPlace) return writeInPlace(folder, entry, bench);
		return entry.expected.kind === "absent" ? create(folder, entry, bench) : replace(folder, entry, bench);
	} catch (error) {
		return left(reasonOf(error));
	}
}

function create(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	const { native, between } = bench;
	if (entry.target.kind === "link") {
		between("before link");
		symlinkSync(Buffer.from(entry.target.target, "latin1"), folder.at(nameOf(entry.path)));
		return { done: true };
	}
	const problem = prepare(folder, entry.fresh, { target: entry.target, bench });
	if (problem !== undefined) return left(problem);
	between("prepared");
	const code = native.renameNew(folder.at(entry.fresh), folder.at(nameOf(entry.path)));
	const came = code === "ENOSYS" ? linked(folder, entry) : code === "";
	between("created");
	drop(folder, entry.fresh);
	return came ? { done: true } : left("in-the-way");
}

/** Where only this is sure not to replace anything. */
function linked(folder: Folder, entry: PlanEntry): boolean {
	try {
		linkSync(folder.at(entry.fresh), folder.at(nameOf(entry.path)));
		return true;
	} catch (error) {
		if (errorCode(error) === "EEXIST") return false;
		drop(folder, entry.fresh);
		throw error;
	}
}

/** Both names change places in one step; then what came out is looked at. */
function replace(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	const name = nameOf(entry.path);
	const now = folder.read(name);
	// Written through another of its names.
	if (isSameState(now.state, entry.target)) return { done: true };
	if (!isSameState(now.state, entry.expected)) return left("changed-meanwhile");
	const problem = prepare(folder, entry.fresh, { target: entry.target, like: now.stat, bench });
	if (problem !== undefined) return left(problem);
	bench.between("prepared");
	const code = bench.native.exchange(folder.at(entry.fresh), folder.at(name));
	if (code === "ENOSYS") return replaceInTwo(folder, entry, bench);
	bench.between("swapped");
	if (code !== "") {
		drop(folder, entry.fresh);
		return left("changed-meanwhile");
	}
	if (isSameState(folder.read(entry.fresh).state, entry.expected)) {
		bench.between("looked");
		drop(folder, entry.fresh);
		return { done: true };
	}
	return swapBack(folder, entry, bench);
}

/** What came out is not what the plan saw: somebody wrote it a moment before. It gets its name back. */
export function swapBack(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	const name = nameOf(entry.path);
	const code = bench.native.exchange(folder.at(entry.fresh), folder.at(name));
	bench.between("swapped back");
	if (code !== "") {
		// Somebody removed what we had put there: then theirs is all there is.
		if (putBack(folder, { from: entry.fresh, to: name }, bench)) return left("changed-meanwhile");
		return left("changed-meanwhile", keep(folder, entry.fresh, bench));
	}
	if (isSameState(folder.read(entry.fresh).state, entry.target)) {
		drop(folder, entry.fresh);
		return left("changed-meanwhile");
	}
	// Written twice, before and after the first swap: the later one belongs to the name, the earlier one into the store.
	bench.native.exchange(folder.at(entry.fresh), folder.at(name));
	bench.between("swapped again");
	return left("changed-meanwhile", keep(folder, entry.fresh, bench));
}

/** Where names cannot be swapped: the old one goes aside, is looked at, and the new one comes if nobody was faster. */
function replaceInTwo(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	const gone = taken(folder, entry, bench);
	if (!gone.done) {
		drop(folder, entry.fresh);
		return gone;
	}
	bench.between("taken");
	const came = putBack(folder, { from: entry.fresh, to: nameOf(entry.path) }, bench);
	bench.between("placed");
	drop(folder, entry.aside);
	drop(folder, entry.fresh);
	return came ? { done: true } : left("changed-meanwhile");
}

/** Removes a file or a link that is still what the plan saw. */
export function remove(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	const gone = taken(folder, entry, bench);
	if (gone.done) drop(folder, entry.aside);
	return gone;
}

function taken(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	try {
		return take(folder, entry, bench);
	} catch (error) {
		return left(reasonOf(error));
	}
}

function take(folder: Folder, entry: PlanEntry, bench: WriteBench): Written {
	const name = nameOf(entry.path);
	bench.between("before taking");
	if (!isEntry(folder.read(name).state)) return left("changed-meanwhile");
	renameSync(folder.at(name), folder.at(entry.aside));
	bench.between("aside");
	if (isSameState(folder.read(entry.aside).state, entry.expected)) return { done: true };
	if (putBack(folder, { from: entry.aside, to: name }, bench)) return left("changed-meanwhile");
	return left("changed-meanwhile", keep(folder, entry.aside, bench));
}

/** Only if it is empty: nothing is ever removed with what is in it. */
export function removeFolder(folder: Folder, entry: PlanEntry): Written {
	try {
		rmdirSync(folder.at(nameOf(entry.path)));
		return { done: true };
	} catch (error) {
		return left(reasonOf(error));
	}
}

/** Its bits come last, when everything in it is written. */
export function makeFolder(folder: Folder, entry: PlanEntry): Written {
	try {
		mkdirSync(folder.at(nameOf(entry.path)), 0o700);
		return { done: true };
	} catch (error) {
		if (errorCode(error) === "EEXIST" && folder.read(nameOf(entry.path)).state.kind === "folder") return { done: true };
		return left(reasonOf(error));
	}
}

/** Only the bits; of a folder too. `made`: the folder is our own, so whatever bits it has are not somebody's. */
export function setMode(folder: Folder, entry: PlanEntry, bench: WriteBench, made = false): Written {
	const name = nameOf(entry.path);
	if (entry.target.kind !== "file" && entry.target.kind !== "folder") return { done: true };
	bench.between("before mode");
	let held = -1;
	try {
		held = openSync(folder.at(name), HOLD);
		const { state, stat } = folder.read(name);
		if (isSameState(state, entry.target)) return { done: true };
		if (!(made ? state.kind === "folder" : isSameState(state, entry.expected)) || fstatSync(held).ino !== stat?.ino)
			return left("changed-meanwhile");
		// Through what is held, so that no link can have come between.
		if (HOLDS) chmodSync(`/proc/self/fd/${held}`, entry.target.mode);
		else fchmodSync(held, entry.target.mode);
		return { done: true };
	} catch (error) {
		return left(reasonOf(error));
	} finally {
		if (held !== -1) closeSync(held);
	}
}

/** To name a file its bits need not allow to read it; elsewhere they must. */
const HOLD = (HOLDS ? O_PATH : constants.O_RDONLY) | constants.O_NOFOLLOW;
