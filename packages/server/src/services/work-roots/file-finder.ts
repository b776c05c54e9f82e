import type { Dirent } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, relative } from "node:path";
import type { Cancel, Clock } from "../../core/kernel/clock.ts";

/** How much of a working directory is looked at. */
const MAX_FILES_SEEN = 20_000;
const MAX_DEPTH = 12;
const MAX_RESULTS = 50;
/** What was not looked at by then is left out: a folder on a slow or dead mount must not hide all others. */
export const WALK_LIMIT_MS = 4_000;
const LIST_TTL_MS = 5_000;
const MAX_LISTS = 8;
const IGNORED = new Set([".git", "node_modules", ".hg", ".svn", "__pycache__", ".venv", "dist", "build", "target", ".next", ".cache"]);

/** Finds files of a working directory by a few letters of their path. Belongs into the folder process. */
export interface FileFinder {
	find(directory: string, query: string): Promise<string[]>;
	/** Folders that never answered. */
	readonly stuck: number;
}

export type ReadFolder = (directory: string) => Promise<Dirent[]>;

export function createFileFinder(clock: Clock, readFolder: ReadFolder = entriesOf): FileFinder {
	let stuck = 0;
	const lists = new Map<string, { at: number; files: Promise<string[]> }>();
	function listOf(directory: string): Promise<string[]> {
		const known = lists.get(directory);
		if (known !== undefined && clock.elapsed() - known.at < LIST_TTL_MS) return known.files;
		const files = listFiles(directory);
		lists.delete(directory);
		lists.set(directory, { at: clock.elapsed(), files });
		const oldest = lists.keys().next();
		if (lists.size > MAX_LISTS && oldest.done !== true) lists.delete(oldest.value);
		return files;
	}

	/** Reads folders until the time of one walk is up; then every folder is empty. */
	function bounded(): { readFolder: ReadFolder; end(): void } {
		let late = false;
		let end: Cancel = () => undefined;
		const over = new Promise<undefined>((resolve) => {
			end = clock.after(WALK_LIMIT_MS, () => {
				late = true;
				resolve(undefined);
			});
		});
		async function readInTime(directory: string): Promise<Dirent[]> {
			if (late) return [];
			const reading = readFolder(directory);
			const found = await Promise.race([reading, over]);
			if (found !== undefined) return found;
			stuck += 1;
			void reading.finally(() => {
				stuck -= 1;
			});
			return [];
		}
		return { readFolder: readInTime, end: () => end() };
	}

	async function listFiles(directory: string): Promise<string[]> {
		const { readFolder: readInTime, end } = bounded();
		try {
			return await walk(directory, readInTime);
		} finally {
			end();
		}
	}

	return {
		get stuck() {
			return stuck;
		},
		async find(directory, query) {
			const files = await listOf(directory);
			const wanted = query.toLowerCase();
			const scored: { path: string; score: number }[] = [];
			for (const path of files) {
				const score = scoreOf(path.toLowerCase(), wanted);
				if (score !== undefined) scored.push({ path, score });
			}
			scored.sort((a, b) => a.score - b.score || a.path.length - b.path.length || (a.path < b.path ? -1 : 1));
			return scored.slice(0, MAX_RESULTS).map((item) => item.path);
		},
	};
}

/** Breadth first, so that a deep tree cannot hide the files near its top. Links are not followed. */
async function walk(root: string, readFolder: ReadFolder): Promise<string[]> {
	const files: string[] = [];
	let level = [root];
	for (let depth = 0; depth < MAX_DEPTH && level.length > 0; depth += 1) {
		const next: string[] = [];
		for (const directory of level) {
			if (files.length + next.length >= MAX_FILES_SEEN) break;
			for (const entry of await readFolder(directory)) {
				const path = join(directory, entry.name);
				if (entry.isDirectory() && !IGNORED.has(entry.name)) next.push(path);
				else if (entry.isFile()) files.push(relative(root, path));
			}
		}
		level = next;
	}
	return files.slice(0, MAX_FILES_SEEN);
}

async function entriesOf(directory: string): Promise<Dirent[]> {
	try {
		return await readdir(directory, { withFileTypes: true });
	} catch {
		// Unreadable or gone meanwhile: it has no files for us.
		return [];
	}
}

/** Smaller is better; undefined: the letters do not all occur in this order. */
export function scoreOf(path: string, query: string): number | undefined {
	if (query === "") return path.split("/").length;
	const name = path.slice(path.lastIndexOf("/") + 1);
	if (name === query) return 0;
	if (name.startsWith(query)) return 1;
	if (name.includes(query)) return 2;
	if (path.includes(query)) return 3;
	let at = -1;
	let gaps = 0;
	for (const letter of query) {
		const found = path.indexOf(letter, at + 1);
		if (found === -1) return undefined;
		if (at !== -1) gaps += found - at - 1;
		at = found;
	}
	return 4 + gaps;
}
