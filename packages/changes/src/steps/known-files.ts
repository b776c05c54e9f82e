import type { ChangesIndex } from "../index/open-index.ts";
import type { SqlRow } from "../index/sqlite.ts";
import { nameOf, parentOf } from "../paths/byte-path.ts";
import { type Folder, findFolder, type Leaf, newFolder, type Walk } from "../walk/tree.ts";
import { decodeState, encodeState } from "./state-code.ts";

/** The number of a root in the index. */
export function rootId(index: ChangesIndex, root: string, { refused, now }: { refused: boolean; now: number }): number {
	const row = index
		.sql(
			"INSERT INTO roots (path, refused, used_at) VALUES (?, ?, ?) ON CONFLICT (path) DO UPDATE SET refused = excluded.refused, used_at = excluded.used_at RETURNING id",
		)
		.get(root, refused ? 1 : 0, now);
	return Number(row?.id);
}

/** What was known of the root when it was last recorded. False: nothing. */
export function loadKnown(index: ChangesIndex, root: number, walk: Walk): boolean {
	let count = 0;
	for (const row of rowsOf(index, root)) {
		count += 1;
		const path = String(row.path);
		const state = decodeState(String(row.state));
		const stat = { ino: Number(row.ino), mode: Number(row.mode) };
		const parent = findFolder(walk, parentOf(path));
		if (path === "") Object.assign(walk.top, stat);
		else if (parent === undefined) continue;
		else if (state.kind === "folder")
			parent.children.set(nameOf(path), newFolder(parent, path, { ...stat, dev: -1, mode: state.mode }, row.size === 1));
		else {
			const times = { size: Number(row.size), mtimeMs: Number(row.mtime), ctimeMs: Number(row.ctime) };
			parent.children.set(nameOf(path), { kind: "leaf", state, stat: { ...stat, ...times } });
			walk.files += 1;
		}
	}
	return count > 0;
}

/** Rows that are in memory at the same time. */
export const ROWS_AT_ONCE = 1_000;

/** In the order of their paths: a folder comes before what is in it. */
function* rowsOf(index: ChangesIndex, root: number): Generator<SqlRow> {
	const page = index.sql("SELECT * FROM files WHERE root = ? AND path > ? ORDER BY path LIMIT ?");
	yield* index.sql("SELECT * FROM files WHERE root = ? AND path = ''").all(root);
	for (let last: string | undefined = ""; last !== undefined; ) {
		const rows: SqlRow[] = page.all(root, last, ROWS_AT_ONCE);
		yield* rows;
		const end = rows.at(-1);
		last = end === undefined ? undefined : String(end.path);
	}
}

/** Writes down what is known now. To be called inside a transaction. */
export function saveKnown(index: ChangesIndex, root: number, touched: ReadonlyMap<string, Leaf | Folder | undefined>): void {
	const put = index.sql("INSERT OR REPLACE INTO files (root, path, state, ino, size, mtime, ctime, mode) VALUES (?, ?, ?, ?, ?, ?, ?, ?)");
	const remove = index.sql("DELETE FROM files WHERE root = ? AND path = ?");
	for (const [path, node] of touched) {
		if (node?.kind === "folder")
			put.run(root, path, encodeState({ kind: "folder", mode: node.mode }), node.ino, node.partial ? 1 : 0, 0, 0, node.mode);
		else if (node?.state === undefined) remove.run(root, path);
		else {
			const { ino, size, mtimeMs, ctimeMs, mode } = node.stat;
			put.run(root, path, encodeState(node.state), ino, size, mtimeMs, ctimeMs, mode);
		}
	}
}
