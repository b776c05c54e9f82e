import { fromLatin1, hasLines, latin1 } from "../diff/text-bytes.ts";
import { mergeLines } from "../merge/merge-lines.ts";
import type { Blobs, PathState } from "../model.ts";
import { hashOf } from "../walk/read-path.ts";
import { isSameContent, isSameState, mergeMode } from "./path-states.ts";
import type { UndoReason } from "./reason.ts";

/** A path on its way back: what it would be, and whether somebody's edit was merged in. */
export interface Folded {
	readonly state: PathState;
	readonly merged: boolean;
	/** Of a merged file: bytes that are in no store yet. */
	readonly bytes?: Uint8Array;
}
export type FoldResult = Folded | { readonly reason: UndoReason };

/** One step back: from what is there, which ought to be `after`, to `before`. What others did since stays, or the path is left alone. */
export function foldBack(now: Folded, { before, after }: { before: PathState; after: PathState }, blobs: Blobs): FoldResult {
	if (now.state.kind === "unknown" || before.kind === "unknown" || after.kind === "unknown") return { reason: "not-covered" };
	if (isSameState(now.state, after)) return { state: before, merged: now.merged };
	if (isSameState(now.state, before)) return now;
	if (now.state.kind === "file" && before.kind === "file" && after.kind === "file") {
		return mergeFiles({ now, before, after, state: now.state }, blobs);
	}
	if (now.state.kind === "folder" && before.kind === "folder" && after.kind === "folder") {
		const mode = mergeMode({ base: after.mode, now: now.state.mode, theirs: before.mode });
		return { state: { kind: "folder", mode }, merged: true };
	}
	// A folder holds nothing of its own: it goes if it is empty, whatever its bits are by now.
	if (now.state.kind === "folder" && after.kind === "folder") return { state: before, merged: now.merged };
	if (now.state.kind === "folder" && before.kind === "folder") return now;
	return { reason: whyNot(now.state, { before, after }) };
}

function whyNot(now: PathState, { before, after }: { before: PathState; after: PathState }): UndoReason {
	if (now.kind === "absent") return "removed-since";
	if (after.kind === "absent") return "in-the-way";
	if (before.kind === "absent" && now.kind === after.kind) return "kept-edited";
	return now.kind === after.kind ? "changed-since" : "kind-changed";
}

type FileState = PathState & { kind: "file" };

function mergeFiles(
	{ now, state, before, after }: { now: Folded; state: FileState; before: FileState; after: FileState },
	blobs: Blobs,
): FoldResult {
	const mode = mergeMode({ base: after.mode, now: state.mode, theirs: before.mode });
	if (isSameContent(state, after)) return { state: { ...before, mode }, merged: true };
	if (isSameContent(state, before)) return { ...now, state: { ...state, mode }, merged: now.merged || mode !== state.mode };
	const ours = now.bytes ?? blobs.get(state.hash);
	const [base, theirs] = [blobs.get(after.hash), blobs.get(before.hash)];
	if (ours === undefined || base === undefined || theirs === undefined) return { reason: "expired" };
	return mergeTexts({ base, ours, theirs, mode });
}

/** What is there, without what led from `theirs` to `base`. */
export function mergeTexts({
	base,
	ours,
	theirs,
	mode,
}: {
	base: Uint8Array;
	ours: Uint8Array;
	theirs: Uint8Array;
	mode: number;
}): FoldResult {
	if (![base, ours, theirs].every(hasLines)) return { reason: "changed-since" };
	const merge = mergeLines({ base: latin1(base), ours: latin1(ours), theirs: latin1(theirs) });
	if (!merge.clean) return { reason: "same-lines" };
	const bytes = fromLatin1(merge.text);
	return { state: { kind: "file", hash: hashOf(bytes), size: bytes.length, mode }, merged: true, bytes };
}
