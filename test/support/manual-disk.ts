import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Syncer } from "../../packages/server/src/store/sqlite/sync-thread.ts";

export interface ManualDisk {
	/** Where the database is, as the running server sees it. */
	path: string;
	syncer: Syncer;
	/** A sync was asked for and not finished. */
	readonly busy: boolean;
	/** Finishes the sync that runs: what was written when it began is on the platter now. */
	finish(error?: Error): void;
	/** The power goes: the path of what a start finds. This share (0 to 1) of what was not synced got there all the same. */
	cutPower(share?: number): string;
	/** SQLite itself has synced everything, as a checkpoint does. */
	syncAll(): void;
	remove(): void;
}

/** A disk whose syncs end when the test says so, and that forgets everything else when the power goes. Without `keepsCopies` the power cannot be cut. */
export function createManualDisk({ keepsCopies = true } = {}): ManualDisk {
	const folder = mkdtempSync(join(tmpdir(), "rightseat-disk-"));
	const path = join(folder, "rightseat.db");
	let done: ((error?: Error) => void) | undefined;
	let cuts = 0;

	const copy = (from: string, to: string) => {
		if (!keepsCopies) return;
		for (const suffix of ["", "-wal"]) {
			rmSync(`${to}${suffix}`, { force: true });
			if (existsSync(`${from}${suffix}`)) copyFileSync(`${from}${suffix}`, `${to}${suffix}`);
		}
	};
	const began = join(folder, "began.db");
	const platter = join(folder, "platter.db");
	return {
		path,
		syncer: {
			sync(callback) {
				done = callback;
				copy(path, began);
			},
			close: async () => undefined,
		},
		get busy() {
			return done !== undefined;
		},
		finish(error) {
			const callback = done;
			done = undefined;
			if (error === undefined) copy(began, platter);
			callback?.(error);
		},
		cutPower(share = 0) {
			const found = join(folder, `cut-${cuts++}.db`);
			copy(platter, found);
			const [kept, size] = [statSync(`${found}-wal`).size, statSync(`${path}-wal`).size];
			if (share > 0 && size > kept) {
				copyFileSync(`${path}-wal`, `${found}-wal`);
				truncateSync(`${found}-wal`, Math.round(kept + share * (size - kept)));
			}
			return found;
		},
		syncAll: () => copy(path, platter),
		remove: () => rmSync(folder, { recursive: true, force: true }),
	};
}
