import { diffText } from "@rightseat/protocol/diff/hunks";
import type { PackStore } from "../blobs/pack-store.ts";
import type { FileHunks, UnfinishedUndo } from "../client/tracker.ts";
import { fromLatin1, readable } from "../diff/text-bytes.ts";
import { type PatchSide, unifiedDiff } from "../diff/unified.ts";
import { findChange, listChangeIds, listChanges, listSteps } from "../index/change-rows.ts";
import type { ChangesIndex } from "../index/open-index.ts";
import type { ChangeSummary, PathState } from "../model.ts";
import { detailOf, type FoldedFile, filesOf, foldSteps, isBinary, shownIn, textOf } from "../steps/change-files.ts";
import { removeChange, settleChange } from "../steps/settle-change.ts";
import { listUnfinished } from "../undo/undo-changes.ts";
import type { Answer, Ask } from "./tracker-protocol.ts";

/** A patch of everything ends after so many characters. */
const MAX_DIFF_CHARS = 8 * 1024 * 1024;
/** Lines of one file that are shown as hunks. */
const MAX_HUNK_LINES = 20_000;

type Scoped = Extract<Ask, { conversationId: string; changeId: string }>;

/** Answers what only needs the index and the contents; it never looks at a root. */
export function answerAtDesk(index: ChangesIndex, blobs: PackStore, ask: Ask): Answer {
	switch (ask.kind) {
		case "settle":
			return { kind: "detail", detail: settleChange(index, blobs, ask.changeId) };
		case "list":
			return { kind: "page", ...listChanges(index, ask.conversationId, ask) };
		case "get": {
			const scope = scopeOf(index, ask);
			return { kind: "detail", detail: scope && detailOf(index, blobs, scope.change, scope.changeIds) };
		}
		case "diff":
			return { kind: "bytes", bytes: diff(index, blobs, ask) };
		case "hunks":
			return { kind: "hunks", hunks: hunks(index, blobs, ask) };
		case "content":
			return { kind: "bytes", bytes: content(index, blobs, ask) };
		case "forget":
			for (const changeId of listChangeIds(index, ask.conversationId)) index.transaction(() => removeChange(index, changeId));
			return { kind: "done" };
		case "unfinished":
			return { kind: "unfinished", undos: unfinished(index, blobs) };
		default:
			return { kind: "failed", reason: `${ask.kind} is not asked at the desk` };
	}
}

/** One change, or everything that the conversation did as one. */
function scopeOf(
	index: ChangesIndex,
	{ conversationId, changeId }: Scoped,
): { change: ChangeSummary & { rootPath: string }; changeIds: string[] } | undefined {
	if (changeId !== "conversation") {
		const change = findChange(index, changeId);
		return change?.conversationId === conversationId ? { change, changeIds: [changeId] } : undefined;
	}
	const changeIds = listChangeIds(index, conversationId);
	const last = changeIds.map((id) => findChange(index, id)).at(-1);
	if (last === undefined) return undefined;
	const { id, conversationId: of, at, root, rootPath } = last;
	const counts = { files: 0, added: 0, removed: 0, notCovered: 0, undone: false };
	return {
		change: { ...counts, id: "conversation", conversationId: of, kind: "turn", at, root, rootPath },
		changeIds: id === "" ? [] : changeIds,
	};
}

function filesInScope(index: ChangesIndex, ask: Scoped): { files: (FoldedFile & { shown: string })[]; rootPath: string } | undefined {
	const scope = scopeOf(index, ask);
	if (scope === undefined) return undefined;
	const { rootPath } = scope.change;
	const files = filesOf(foldSteps(scope.changeIds.flatMap((changeId) => listSteps(index, changeId))));
	return { files: files.map((file) => ({ ...file, shown: shownIn(rootPath, file.root, file.path) })), rootPath };
}

const findFile = (index: ChangesIndex, ask: Scoped & { path: string }) =>
	filesInScope(index, ask)?.files.find(({ shown }) => shown === ask.path);

function diff(index: ChangesIndex, blobs: PackStore, ask: Extract<Ask, { kind: "diff" }>): Uint8Array | undefined {
	const scope = filesInScope(index, ask);
	const files = scope?.files.filter(({ shown }) => ask.path === undefined || shown === ask.path);
	if (scope === undefined || files === undefined || (files.length === 0 && ask.path !== undefined)) return undefined;
	let text = "";
	for (const file of files) {
		if (text.length > MAX_DIFF_CHARS) break;
		text += patchOf(file, blobs, scope.rootPath);
	}
	return Buffer.from(text, "utf8");
}

function patchOf(file: FoldedFile, blobs: PackStore, rootPath: string): string {
	const [before, after] = [sideOf(file.from?.before ?? file.before, blobs), sideOf(file.after, blobs)];
	if (before === undefined || after === undefined) return "";
	const name = (root: string, path: string) => (root === rootPath ? path : `${root}/${path}`.slice(1));
	const oldPath = file.from === undefined ? undefined : name(file.from.root, file.from.path);
	return unifiedDiff({ path: name(file.root, file.path), oldPath, before, after });
}

/** Undefined when its bytes are no longer kept. */
function sideOf(state: PathState, blobs: PackStore): PatchSide | undefined {
	if (state.kind === "link") return state;
	if (state.kind !== "file") return { kind: "absent" };
	const bytes = blobs.get(state.hash);
	return bytes && { kind: "file", bytes, mode: state.mode };
}

function hunks(index: ChangesIndex, blobs: PackStore, ask: Extract<Ask, { kind: "hunks" }>): FileHunks | undefined {
	const file = findFile(index, ask);
	const scope = scopeOf(index, ask);
	const listed = scope && detailOf(index, blobs, scope.change, scope.changeIds).files.find(({ path }) => path === ask.path);
	if (file === undefined || listed === undefined) return undefined;
	const [old, next] = [textOf(file.from?.before ?? file.before, blobs), textOf(file.after, blobs)];
	if (isBinary(old) || isBinary(next)) return { file: listed, hunks: [] };
	const found = diffText(old, next, { ignoreWhitespace: ask.ignoreWhitespace });
	let left = MAX_HUNK_LINES;
	const shown = found.hunks.map(({ changes: _, ...hunk }) => {
		const lines = hunk.lines.slice(0, left).map((line) => ({ ...line, text: readable(line.text) }));
		left -= lines.length;
		return { ...hunk, lines };
	});
	const total = found.hunks.reduce((sum, hunk) => sum + hunk.lines.length, 0);
	return {
		file: listed,
		hunks: shown.filter(({ lines }) => lines.length > 0),
		...(found.coarse ? { coarse: true as const } : {}),
		...(total > MAX_HUNK_LINES ? { truncated: total - MAX_HUNK_LINES } : {}),
	};
}

function content(index: ChangesIndex, blobs: PackStore, ask: Extract<Ask, { kind: "content" }>): Uint8Array | undefined {
	const file = findFile(index, ask);
	const state = ask.side === "after" ? file?.after : (file?.from?.before ?? file?.before);
	if (state?.kind === "link") return fromLatin1(state.target);
	return state?.kind === "file" ? blobs.get(state.hash) : undefined;
}

function unfinished(index: ChangesIndex, blobs: PackStore): UnfinishedUndo[] {
	const undos = listUnfinished({ index, blobs }).map(({ changeId, conversationId, kind }) => ({ changeId, conversationId, kind }));
	return [...new Map(undos.map((undo) => [undo.changeId, undo])).values()];
}
