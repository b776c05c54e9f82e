import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createSpillFile, type SpillFile } from "./spill-file.ts";

/**
 * Output files of all conversations, within a quota each and one for the server, removed after a week. Opening one looks at the
 * folder of its own conversation only: what the others use is remembered, and put right by every sweep.
 */
export interface Spills {
	/** Undefined when no room can be made. Never throws. */
	open(conversation: string, name: string): SpillFile | undefined;
	/** Removes files past their time and counts the rest, a folder at a time. Never rejects. */
	sweep(): Promise<void>;
	/** Its folder is gone. */
	forget(conversation: string): void;
}

export interface SpillQuota {
	fileBytes: number;
	conversationBytes: number;
	serverBytes: number;
	keepMs: number;
}

const MIB = 1_048_576;
const SPILL_QUOTA: SpillQuota = {
	fileBytes: 64 * MIB,
	conversationBytes: 512 * MIB,
	serverBytes: 4_096 * MIB,
	keepMs: 7 * 24 * 3_600_000,
};

/** Files of others that one new file may push out; if that is not enough, it gets what room there is. */
export const MAX_REMOVED = 32;

interface Entry {
	path: string;
	bytes: number;
	modified: number;
}

/** Finished files of one folder. */
interface Usage {
	bytes: number;
	/** When the oldest was written. */
	oldest: number;
}

export type ListFolder = (folder: string) => string[];

export function createSpills(
	root: string,
	directory: (conversation: string) => string,
	quota = SPILL_QUOTA,
	listFolder: ListFolder = names,
): Spills {
	/** Files that are being written, with the room set aside for each. */
	const active = new Map<string, number>();
	const used = new Map<string, Usage>();
	const folderOf = (conversation: string) => join(directory(conversation), "output");

	const finished = (folder: string): Entry[] =>
		listFolder(folder).flatMap((name) => {
			const path = join(folder, name);
			const found = active.has(path) ? undefined : statSync(path, { throwIfNoEntry: false });
			return found?.isFile() === true ? [{ path, bytes: found.size, modified: found.mtimeMs }] : [];
		});

	const count = (folder: string, entries: Entry[]) => {
		const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
		if (entries.length === 0) used.delete(folder);
		else used.set(folder, { bytes, oldest: Math.min(...entries.map((entry) => entry.modified)) });
	};

	const reservedIn = (folder: string) => {
		let bytes = 0;
		for (const [path, reserved] of active) if (path.startsWith(join(folder, "/"))) bytes += reserved;
		return bytes;
	};

	/** Removes the oldest finished files of a folder until it is down to `limit`, at least one. */
	const shrink = (folder: string, limit: number) => {
		const entries = finished(folder).sort((a, b) => a.modified - b.modified);
		let bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
		do {
			const oldest = entries.shift();
			if (oldest === undefined) break;
			rmSync(oldest.path, { force: true });
			bytes -= oldest.bytes;
		} while (bytes > limit);
		count(folder, entries);
	};

	const serverBytes = () => {
		let bytes = reservedIn(root);
		for (const usage of used.values()) bytes += usage.bytes;
		return bytes;
	};

	/** The folder with the oldest file of all. */
	const oldestFolder = () => {
		let found: string | undefined;
		let oldest = Number.POSITIVE_INFINITY;
		for (const [folder, usage] of used) {
			if (usage.oldest >= oldest) continue;
			found = folder;
			oldest = usage.oldest;
		}
		return found;
	};

	/** How many bytes a new file of this folder may have. */
	const roomIn = (folder: string): number => {
		for (let removed = 0; removed < MAX_REMOVED && serverBytes() + quota.fileBytes > quota.serverBytes; removed++) {
			const folder = oldestFolder();
			if (folder === undefined) break;
			shrink(folder, Number.POSITIVE_INFINITY);
		}
		const inServer = Math.min(quota.fileBytes, quota.serverBytes - serverBytes());
		count(folder, finished(folder));
		const reserved = reservedIn(folder);
		const own = () => used.get(folder)?.bytes ?? 0;
		if (own() > 0 && reserved + own() + inServer > quota.conversationBytes) shrink(folder, quota.conversationBytes - reserved - inServer);
		return Math.max(0, Math.min(inServer, quota.conversationBytes - reserved - own()));
	};

	const openFile = (folder: string, name: string): SpillFile | undefined => {
		const room = roomIn(folder);
		if (room === 0) return undefined;
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const path = join(folder, `${Date.now().toString(36)}-${name}.log`);
		let left = room;
		active.set(path, room);
		const file = createSpillFile(path, {
			allowance: () => left,
			used: (bytes) => {
				left -= bytes;
			},
		});
		return {
			...file,
			get bytes() {
				return file.bytes;
			},
			get cut() {
				return file.cut;
			},
			close() {
				file.close();
				if (!active.delete(path) || file.bytes === 0) return;
				const usage = used.get(folder) ?? { bytes: 0, oldest: Date.now() };
				used.set(folder, { ...usage, bytes: usage.bytes + file.bytes });
			},
		};
	};

	const sweepFolder = async (folder: string, oldest: number) => {
		const entries: Entry[] = [];
		for (const name of await readdir(folder).catch(() => [])) {
			const path = join(folder, name);
			const found = await stat(path).catch(() => undefined);
			if (found?.isFile() !== true || active.has(path)) continue;
			if (found.mtimeMs < oldest) await rm(path, { force: true });
			else entries.push({ path, bytes: found.size, modified: found.mtimeMs });
		}
		count(folder, entries);
	};

	return {
		open(conversation, name) {
			try {
				return openFile(folderOf(conversation), name);
			} catch {
				// A disk that refuses costs the file, never the command.
				return undefined;
			}
		},
		async sweep() {
			const oldest = Date.now() - quota.keepMs;
			for (const name of await readdir(root).catch(() => [])) await sweepFolder(join(root, name, "output"), oldest).catch(() => undefined);
		},
		forget: (conversation) => void used.delete(folderOf(conversation)),
	};
}

function names(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
