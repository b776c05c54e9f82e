import { diffText } from "@rightseat/protocol/diff/hunks";
import { listMissed, listSteps } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Actor, Blobs, BytePath, ChangeDetail, ChangeFile, ChangeSummary, NotCovered, PathState, Step } from "../model.ts";
import { shownPath } from "../paths/shown-path.ts";
import { isSameState } from "./state-code.ts";

/** All steps of one path, folded into one. */
export interface FoldedPath {
	readonly root: string;
	readonly path: BytePath;
	readonly before: PathState;
	readonly after: PathState;
	readonly actors: readonly Actor[];
	readonly windows: readonly string[];
	readonly git: boolean;
}

/** A folded path as a file of a change; a rename has two paths. */
export interface FoldedFile extends FoldedPath {
	readonly from?: FoldedPath;
}

/** Files that are listed by name; a change that has more says how many. */
export const MAX_LISTED_FILES = 5_000;
/** Counting lines takes at most this long, then everything in a file counts as replaced. */
const COUNT_MS = 800;

/** Steps oldest first. What came back to how it was is left out; folders and what is unknown are there. */
export function foldSteps(steps: readonly Step[]): FoldedPath[] {
	const folded = new Map<string, FoldedPath>();
	for (const { root, path, before, after, actors, windows, head } of steps) {
		const key = `${root}\0${path}`;
		const known = folded.get(key);
		const git = head !== undefined;
		if (known === undefined) folded.set(key, { root, path, before, after, actors, windows, git });
		else {
			const all = { actors: unique([...known.actors, ...actors]), windows: unique([...known.windows, ...windows]) };
			folded.set(key, { ...known, after, ...all, git: known.git || git });
		}
	}
	return [...folded.values()].filter(({ before, after }) => before.kind === "unknown" || !isSameState(before, after));
}

/** What is listed as files: no folders, nothing unknown, and what was moved as one. */
export function filesOf(folded: readonly FoldedPath[]): FoldedFile[] {
	const listed = folded.filter(({ before, after }) => isContent(before) || isContent(after)).filter((path) => !isUnknown(path));
	const gone = new Map<string, FoldedPath>();
	for (const path of listed)
		if (path.after.kind !== "file" && path.before.kind === "file" && path.before.size > 0) gone.set(contentKey(path, path.before), path);
	const moved = new Set<FoldedPath>();
	const files = listed.map((path): FoldedFile => {
		const from = path.before.kind === "absent" && path.after.kind === "file" ? gone.get(contentKey(path, path.after)) : undefined;
		if (from === undefined || moved.has(from) || from.after.kind !== "absent") return path;
		moved.add(from);
		return { ...path, from };
	});
	return files.filter((file) => !moved.has(file)).sort((a, b) => (a.path < b.path ? -1 : 1));
}

const contentKey = ({ root }: FoldedPath, state: PathState) => `${root}\0${state.kind === "file" ? state.hash : ""}`;
const isContent = (state: PathState) => state.kind === "file" || state.kind === "link";
const isUnknown = ({ before, after }: FoldedPath) => before.kind === "unknown" || after.kind === "unknown";

/** The changes with these ids as one. */
export function detailOf(
	index: ChangesIndex,
	blobs: Blobs,
	change: ChangeSummary & { rootPath: string },
	changeIds: readonly string[],
): ChangeDetail {
	const folded = foldSteps(changeIds.flatMap((changeId) => listSteps(index, changeId)));
	const show = (root: string, path: string) => shownIn(change.rootPath, root, path);
	const until = performance.now() + COUNT_MS;
	const files = filesOf(folded).map((file) => describe(file, blobs, show, until));
	const missed = changeIds
		.flatMap((changeId) => listMissed(index, changeId))
		.map(({ root, path, reason }) => ({ path: show(root, path), reason }));
	const opaque = folded
		.filter(isUnknown)
		.map(({ root, path, before, after }) => ({ path: show(root, path), reason: reasonOf(after) ?? reasonOf(before) ?? "expired" }));
	const notCovered = outermost(distinct([...missed, ...opaque]));
	const total = (of: (file: ChangeFile) => number) => files.reduce((sum, file) => sum + of(file), 0);
	const { rootPath: _, ...summary } = change;
	return {
		change: {
			...summary,
			files: files.length,
			added: total(({ added }) => added),
			removed: total(({ removed }) => removed),
			notCovered: notCovered.length,
		},
		files: files.slice(0, MAX_LISTED_FILES),
		notCovered: notCovered.slice(0, MAX_LISTED_FILES),
	};
}

/** What lies in a folder that is named for the same reason is not named again. */
function outermost(list: readonly NotCovered[]): NotCovered[] {
	const named = new Set(list.map(({ path, reason }) => `${reason} ${path}`));
	return list.filter(({ path, reason }) => {
		for (let at = path.lastIndexOf("/"); at > 0; at = path.lastIndexOf("/", at - 1))
			if (named.has(`${reason} ${path.slice(0, at)}`)) return false;
		return true;
	});
}

/** Relative to the change's root, else absolute. */
export const shownIn = (changeRoot: string, root: string, path: string): string =>
	root === changeRoot ? shownPath(path) : shownPath(path === "" ? root : `${root}/${path}`);

const reasonOf = (state: PathState) => (state.kind === "unknown" ? state.reason : undefined);

function describe(file: FoldedFile, blobs: Blobs, show: (root: string, path: string) => string, until: number): ChangeFile {
	const { root, path, after, from } = file;
	const before = from === undefined ? file.before : from.before;
	const [by = "outside", ...also] = [...file.actors].sort((a, b) => Number(a === "outside") - Number(b === "outside"));
	const status = from !== undefined ? "renamed" : statusOf(before, after);
	return {
		path: show(root, path),
		status,
		...countLines(before, after, blobs, until),
		by,
		...(from === undefined ? {} : { oldPath: show(from.root, from.path) }),
		...(also.length === 0 ? {} : { also }),
		...(file.windows.length === 0 ? {} : { during: file.windows }),
		...(file.git ? { git: true as const } : {}),
	};
}

function statusOf(before: PathState, after: PathState): ChangeFile["status"] {
	if (!isContent(before)) return "added";
	if (!isContent(after)) return "deleted";
	return before.kind === "file" && after.kind === "file" && before.hash === after.hash ? "mode" : "modified";
}

function countLines(before: PathState, after: PathState, blobs: Blobs, until: number): { binary: boolean; added: number; removed: number } {
	if (before.kind === "file" && after.kind === "file" && before.hash === after.hash) return { binary: false, added: 0, removed: 0 };
	const [old, next] = [textOf(before, blobs), textOf(after, blobs)];
	if (isBinary(old) || isBinary(next)) return { binary: true, added: 0, removed: 0 };
	if (old === "" || next === "" || performance.now() > until) return { binary: false, added: lines(next), removed: lines(old) };
	const { added, removed } = diffText(old, next);
	return { binary: false, added, removed };
}

/** Bytes as latin1; a link is its target. */
export function textOf(state: PathState, blobs: Blobs): string {
	if (state.kind === "link") return state.target;
	return state.kind === "file" ? Buffer.from(blobs.get(state.hash) ?? []).toString("latin1") : "";
}

/** As git sees it: a zero byte near the beginning. */
export const isBinary = (text: string): boolean => text.slice(0, 8_000).includes("\0");

const lines = (text: string) => (text === "" ? 0 : text.split("\n").length - (text.endsWith("\n") ? 1 : 0));

const unique = <T>(list: readonly T[]): T[] => [...new Set(list)];
const distinct = (list: readonly NotCovered[]) =>
	[...new Map(list.map((entry) => [`${entry.path}\0${entry.reason}`, entry])).values()].sort((a, b) => (a.path < b.path ? -1 : 1));
