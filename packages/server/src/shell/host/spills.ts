import { mkdirSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createSpillFile, type SpillFile } from "./spill-file.ts";

/** Output files of all conversations, within a quota each and one for the server, removed after a week. */
export interface Spills {
	/** Undefined when no room can be made. */
	open(conversation: string, name: string): SpillFile | undefined;
	/** Removes files past their time. */
	sweep(): void;
}

export interface SpillQuota {
	fileBytes: number;
	conversationBytes: number;
	serverBytes: number;
	keepMs: number;
}

const MIB = 1_048_576;
export const SPILL_QUOTA: SpillQuota = {
	fileBytes: 64 * MIB,
	conversationBytes: 512 * MIB,
	serverBytes: 4_096 * MIB,
	keepMs: 7 * 24 * 3_600_000,
};

interface Entry {
	path: string;
	bytes: number;
	modified: number;
}

export function createSpills(root: string, directory: (conversation: string) => string, quota = SPILL_QUOTA): Spills {
	/** Files that are being written, with the room set aside for each. */
	const active = new Map<string, number>();

	/** Removes the oldest finished files until `wanted` more bytes fit; returns what fits. */
	const makeRoom = (files: Entry[], limit: number, wanted: number): number => {
		let used = 0;
		const removable: Entry[] = [];
		for (const file of files) {
			const reserved = active.get(file.path);
			used += reserved ?? file.bytes;
			if (reserved === undefined) removable.push(file);
		}
		removable.sort((a, b) => a.modified - b.modified);
		for (const file of removable) {
			if (used + wanted <= limit) break;
			rmSync(file.path, { force: true });
			used -= file.bytes;
		}
		return Math.max(0, Math.min(wanted, limit - used));
	};

	return {
		open(conversation, name) {
			const folder = join(directory(conversation), "output");
			const inServer = makeRoom(listAll(root), quota.serverBytes, quota.fileBytes);
			const room = makeRoom(list(folder), quota.conversationBytes, inServer);
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
					active.delete(path);
					file.close();
				},
			};
		},
		sweep() {
			const oldest = Date.now() - quota.keepMs;
			for (const file of listAll(root)) if (file.modified < oldest && !active.has(file.path)) rmSync(file.path, { force: true });
		},
	};
}

function listAll(root: string): Entry[] {
	return names(root).flatMap((name) => list(join(root, name, "output")));
}

function list(folder: string): Entry[] {
	return names(folder).flatMap((name) => {
		const path = join(folder, name);
		const stat = statSync(path, { throwIfNoEntry: false });
		return stat?.isFile() === true ? [{ path, bytes: stat.size, modified: stat.mtimeMs }] : [];
	});
}

function names(folder: string): string[] {
	try {
		return readdirSync(folder);
	} catch {
		return [];
	}
}
