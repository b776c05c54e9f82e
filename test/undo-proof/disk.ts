import {
	closeSync,
	existsSync,
	fsyncSync,
	mkdirSync,
	openSync,
	readdirSync,
	readFileSync,
	renameSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { join } from "node:path";
import type { Blobs } from "../../packages/changes/src/model.ts";
import type { JournaledUndo, UndoJournal } from "../../packages/changes/src/undo/journal.ts";
import { hashOf } from "../../packages/changes/src/walk/read-path.ts";

/** Contents as files: another process finds them after this one was killed. */
export function createDiskBlobs(folder: string): Blobs {
	mkdirSync(folder, { recursive: true });
	return {
		put(bytes) {
			const hash = hashOf(bytes);
			if (!existsSync(join(folder, hash))) writeWhole(join(folder, hash), bytes);
			return hash;
		},
		get: (hash) => (existsSync(join(folder, hash)) ? readFileSync(join(folder, hash)) : undefined),
		sync: async () => undefined,
	};
}

/** A journal as files. What it holds is a test's own, and is believed. */
export function createDiskJournal(folder: string): UndoJournal {
	mkdirSync(folder, { recursive: true });
	const file = (changeId: string, kind: string) => join(folder, `${changeId}.${kind}`);
	const read = (changeId: string): JournaledUndo => JSON.parse(readFileSync(file(changeId, "open"), "utf8"));
	return {
		begin(parts) {
			for (const undo of parts) writeWhole(file(undo.changeId, "open"), JSON.stringify(undo));
		},
		turn: (undo, direction) => writeWhole(file(undo.changeId, "open"), JSON.stringify({ ...undo, direction })),
		end(undo, steps) {
			writeWhole(file(undo.changeId, "steps"), JSON.stringify(steps));
			rmSync(file(undo.changeId, "open"));
		},
		list: () =>
			readdirSync(folder)
				.filter((name) => name.endsWith(".open"))
				.map((name) => read(name.replace(/\.open$/, ""))),
	};
}

function writeWhole(path: string, content: string | Uint8Array): void {
	const fresh = `${path}.writing`;
	writeFileSync(fresh, content);
	const file = openSync(fresh, "r");
	fsyncSync(file);
	closeSync(file);
	renameSync(fresh, path);
}
