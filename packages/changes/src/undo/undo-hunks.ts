import { diffText, type Hunk } from "@rightseat/protocol/diff/hunks";
import { splitLines } from "@rightseat/protocol/diff/line-changes";
import { fromLatin1, latin1 } from "../diff/text-bytes.ts";
import type { Blobs, PathState } from "../model.ts";
import { hashOf } from "../walk/read-path.ts";
import { type Folded, type FoldResult, foldBack, mergeTexts } from "./fold.ts";
import { isSameContent } from "./path-states.ts";

/** Some hunks of a difference back, the others stay: theirs is `after` without the chosen hunks. */
export function foldHunks(
	now: Folded,
	{ before, after, chosen }: { before: PathState; after: PathState; chosen: ReadonlySet<string> },
	blobs: Blobs,
): FoldResult {
	const [old, next] = [contentOf(before, blobs), contentOf(after, blobs)];
	if (old === undefined || next === undefined)
		return { reason: before.kind === "unknown" || after.kind === "unknown" ? "not-covered" : "expired" };
	const shown = hunksWith(chosen, latin1(old), latin1(next));
	if (shown === undefined) return { reason: "no-such-hunk" };
	// All of them is the whole difference, also where the file itself came or went.
	if (shown.isExact && shown.chosen.length === shown.count) return foldBack(now, { before, after }, blobs);
	if (before.kind !== "file" || after.kind !== "file") return { reason: "no-such-hunk" };
	if (now.state.kind !== "file") return { reason: now.state.kind === "absent" ? "removed-since" : "kind-changed" };
	const theirs = without(shown.chosen, latin1(old), latin1(next));
	if (isSameContent(now.state, after)) {
		return { state: { kind: "file", hash: hashOf(theirs), size: theirs.length, mode: now.state.mode }, merged: now.merged, bytes: theirs };
	}
	const ours = now.bytes ?? blobs.get(now.state.hash);
	return ours === undefined ? { reason: "expired" } : mergeTexts({ base: next, ours, theirs, mode: now.state.mode });
}

function contentOf(state: PathState, blobs: Blobs): Uint8Array | undefined {
	if (state.kind === "absent") return new Uint8Array();
	return state.kind === "file" ? blobs.get(state.hash) : undefined;
}

/** The ids are of the hunks as they were shown, with or without blanks. */
function hunksWith(
	chosen: ReadonlySet<string>,
	old: string,
	next: string,
): { chosen: Hunk[]; count: number; isExact: boolean } | undefined {
	for (const ignoreWhitespace of [false, true]) {
		const { hunks } = diffText(old, next, { ignoreWhitespace });
		const found = hunks.filter(({ id }) => chosen.has(id));
		if (found.length > 0 && found.length === chosen.size) return { chosen: found, count: hunks.length, isExact: !ignoreWhitespace };
	}
	return undefined;
}

function without(hunks: readonly Hunk[], old: string, next: string): Uint8Array {
	const [before, after] = [splitLines(old), splitLines(next)];
	const lines: string[] = [];
	let at = 0;
	for (const { oldStart, oldEnd, newStart, newEnd } of hunks.flatMap(({ changes }) => changes)) {
		lines.push(...after.slice(at, newStart), ...before.slice(oldStart, oldEnd));
		at = newEnd;
	}
	return fromLatin1([...lines, ...after.slice(at)].join(""));
}
