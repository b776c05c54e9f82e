import { lstatSync } from "node:fs";
import type { PathState } from "../model.ts";
import { fsPath, parentOf } from "../paths/byte-path.ts";
import { hashOf } from "../walk/read-path.ts";
import { RACY_MS } from "../walk/read-within.ts";

/** How a window names a file. */
export interface Naming {
	/** Whoever names it has not begun to write: what is there now is the state before. */
	readonly isTimely: boolean;
	/** Else: the last sync point before it may have begun, in milliseconds since 1970. */
	readonly since: number;
	/** What the tool says that it makes of what. */
	readonly claim?: EditClaim | undefined;
}

/** The texts of an edit as the tool tells them. Some tools tell the whole file and some a piece of it, so it counts only where it fits what is on disk. */
export interface EditClaim {
	/** Missing: the tool says that it makes the file. */
	readonly oldText?: string | undefined;
	readonly newText: string;
}

const UNKNOWN: PathState = { kind: "unknown", reason: "not-copied" };

/** How a file was when whoever names it began, as far as that can be known by now. `keep` stores contents; false: there is no room. */
export function stateBefore(
	now: PathState,
	ctimeMs: number | undefined,
	{ isTimely, since, claim }: Naming,
	keep: (bytes: Uint8Array) => boolean,
): PathState {
	if (isTimely || isOlder(ctimeMs, since)) return now;
	if (now.kind !== "file" || claim?.oldText === undefined) return UNKNOWN;
	const old = Buffer.from(claim.oldText);
	const hash = hashOf(old);
	if (hash === now.hash) return now;
	if (hashOf(Buffer.from(claim.newText)) !== now.hash || !keep(old)) return UNKNOWN;
	return { kind: "file", hash, size: old.length, mode: now.mode };
}

/** A file that is not there was not there before either: nothing was made or removed in its folder since, or the tool says so itself. */
export function wasAbsent(folder: string, { isTimely, since, claim }: Naming): boolean {
	if (isTimely || (claim !== undefined && claim.oldText === undefined)) return true;
	try {
		for (let at = folder; ; at = parentOf(at) || "/") {
			const stat = lstatSync(fsPath(at, ""), { throwIfNoEntry: false });
			if (stat !== undefined || at === "/") return isOlder(stat?.ctimeMs, since);
		}
	} catch {
		// Not to be found out.
		return false;
	}
}

/** The kernel's clock for files is behind ours by up to some milliseconds. */
const isOlder = (ctimeMs: number | undefined, since: number): boolean => ctimeMs !== undefined && ctimeMs < since - RACY_MS;
