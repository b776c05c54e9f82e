import type { ShownFile } from "../shown.ts";

/** A row of the tree: a folder (several in one where each holds nothing but the next), or a file. */
export type TreeRow =
	| {
			readonly kind: "folder";
			readonly key: string;
			readonly name: string;
			readonly depth: number;
			readonly open: boolean;
			readonly files: number;
	  }
	| { readonly kind: "file"; readonly key: string; readonly name: string; readonly depth: number; readonly file: ShownFile };

interface Folder {
	path: string;
	folders: Map<string, Folder>;
	files: ShownFile[];
}

/** The changed files as a tree, folders first, each in the order of its names; what is in `closed` folders is left out. */
export function treeRows(files: readonly ShownFile[], closed: ReadonlySet<string>): TreeRow[] {
	const root: Folder = { path: "", folders: new Map(), files: [] };
	for (const file of files) {
		let folder = root;
		for (const name of file.path.split("/").slice(0, -1)) {
			const path = `${folder.path}${name}/`;
			const next = folder.folders.get(name) ?? { path, folders: new Map(), files: [] };
			folder.folders.set(name, next);
			folder = next;
		}
		folder.files.push(file);
	}
	return rowsOf(root, 0, closed);
}

/** Files in the order in which the tree lists them. */
export function inTreeOrder(files: readonly ShownFile[]): ShownFile[] {
	return treeRows(files, new Set()).flatMap((row) => (row.kind === "file" ? [row.file] : []));
}

export const nameOf = (path: string): string => path.slice(path.lastIndexOf("/") + 1);

function rowsOf(folder: Folder, depth: number, closed: ReadonlySet<string>): TreeRow[] {
	const byName = <T>(items: Iterable<T>, name: (item: T) => string) => [...items].sort((a, b) => (name(a) < name(b) ? -1 : 1));
	const folders = byName(folder.folders.values(), ({ path }) => path).flatMap((child) => {
		const last = onlyFolder(child);
		const open = !closed.has(last.path);
		const row: TreeRow = {
			kind: "folder",
			key: last.path,
			name: last.path.slice(folder.path.length, -1),
			depth,
			open,
			files: countFiles(last),
		};
		return open ? [row, ...rowsOf(last, depth + 1, closed)] : [row];
	});
	const files = byName(folder.files, ({ path }) => path).map(
		(file): TreeRow => ({ kind: "file", key: file.path, name: nameOf(file.path), depth, file }),
	);
	return [...folders, ...files];
}

function onlyFolder(folder: Folder): Folder {
	const [only] = folder.folders.values();
	return folder.files.length === 0 && folder.folders.size === 1 && only !== undefined ? onlyFolder(only) : folder;
}

function countFiles(folder: Folder): number {
	return [...folder.folders.values()].reduce((sum, child) => sum + countFiles(child), folder.files.length);
}
