import { mkdirSync } from "node:fs";
import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { createFileIndex, type KeptFile } from "./file-index.ts";
import { createOutputFile, type OutputFile } from "./output-file.ts";

/**
 * Output files of all conversations, within a quota each and one for the server, removed after a week. Opening one looks at no folder:
 * what is there is remembered, and put right by every sweep.
 */
export interface OutputFiles {
	/** Undefined when no room can be made. Never throws. */
	open(conversation: string, name: string): OutputFile | undefined;
	/** Removes files past their time and counts the rest, a folder at a time. Never rejects. */
	sweep(): Promise<void>;
	/** Its folder is gone. */
	forget(conversation: string): void;
}

export interface OutputQuota {
	fileBytes: number;
	conversationBytes: number;
	serverBytes: number;
	keepMs: number;
}

const MIB = 1_048_576;
const OUTPUT_QUOTA: OutputQuota = {
	fileBytes: 64 * MIB,
	conversationBytes: 512 * MIB,
	serverBytes: 4_096 * MIB,
	keepMs: 7 * 24 * 3_600_000,
};

/** Files of others that one new file may push out; if that is not enough, it gets what room there is. */
export const MAX_REMOVED = 32;

/** How the disk is looked at; on one that does not answer, files are opened all the same. */
export interface FolderLook {
	list(folder: string): Promise<string[]>;
	stat(path: string): Promise<{ isFile(): boolean; size: number; mtimeMs: number }>;
}

export function createOutputFiles(
	root: string,
	directory: (conversation: string) => string,
	quota = OUTPUT_QUOTA,
	look: FolderLook = { list: readdir, stat },
): OutputFiles {
	const finished = createFileIndex();
	/** Files that are being written, with the room set aside for each. */
	const active = new Map<string, number>();
	const folderOf = (conversation: string) => join(directory(conversation), "output");

	function reservedIn(folder: string): number {
		let bytes = 0;
		for (const [path, reserved] of active) if (path.startsWith(join(folder, "/"))) bytes += reserved;
		return bytes;
	}

	/** How many bytes a new file of this folder may have, once the oldest ones have made room. */
	function roomIn(folder: string): number {
		const serverBytes = () => finished.bytes + reservedIn(root);
		for (let removed = 0; removed < MAX_REMOVED && serverBytes() + quota.fileBytes > quota.serverBytes; removed++)
			remove(finished.takeOldest());
		const inServer = Math.min(quota.fileBytes, quota.serverBytes - serverBytes());
		const ownBytes = () => finished.bytesIn(folder) + reservedIn(folder);
		while (finished.bytesIn(folder) > 0 && ownBytes() + inServer > quota.conversationBytes) remove(finished.takeOldest(folder));
		return Math.max(0, Math.min(inServer, quota.conversationBytes - ownBytes()));
	}

	function openFile(folder: string, name: string): OutputFile | undefined {
		let left = roomIn(folder);
		if (left === 0) return undefined;
		mkdirSync(folder, { recursive: true, mode: 0o700 });
		const path = join(folder, `${Date.now().toString(36)}-${name}.log`);
		active.set(path, left);
		return createOutputFile(path, {
			allowance: () => left,
			used(bytes) {
				left -= bytes;
			},
			closed(bytes) {
				active.delete(path);
				if (bytes > 0) finished.add(folder, { path, bytes, modified: Date.now() }).forEach(remove);
			},
		});
	}

	async function sweepFolder(folder: string): Promise<void> {
		const began = Date.now();
		const kept: KeptFile[] = [];
		for (const name of await look.list(folder)) {
			const path = join(folder, name);
			const found = await look.stat(path).catch(() => undefined);
			if (found?.isFile() !== true || active.has(path)) continue;
			if (found.mtimeMs < began - quota.keepMs) await rm(path, { force: true });
			else kept.push({ path, bytes: found.size, modified: found.mtimeMs });
		}
		finished.replace(folder, kept, began).forEach(remove);
	}

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
			const names = await look.list(root).catch(() => []);
			// A folder that is gone meanwhile, or that the disk refuses, costs the others nothing.
			for (const name of names) await sweepFolder(join(root, name, "output")).catch(() => undefined);
		},
		forget: (conversation) => finished.forget(folderOf(conversation)),
	};
}

/** Not waited for: whoever needs the room writes on. What the disk refuses to remove is counted again by the next sweep. */
function remove(file: KeptFile | undefined): void {
	if (file !== undefined) rm(file.path, { force: true }).catch(() => undefined);
}
