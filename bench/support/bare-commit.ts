import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { createSyncThread } from "../../packages/server/src/store/sqlite/sync-thread.ts";

type Show = (id: string, text: string) => void;

/** Keeps what is to be shown first: everything that came meanwhile in one commit, synced by a thread, and only then to the readers. */
export function keepFirst(path: string, show: Show): Show {
	const database = new (loadSqlite().module.DatabaseSync)(path);
	// As many pages as ours; the sync is not made here but by a thread, because a slow disk must not hold up the sockets (docs/decisions/0292).
	database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000");
	database.exec("CREATE TABLE events (id TEXT, frame TEXT)");
	const insert = database.prepare("INSERT INTO events VALUES (?, ?)");
	const { sync } = createSyncThread(`${path}-wal`);
	let waiting: { id: string; text: string }[] = [];
	let running = false;
	function commit(): void {
		const frames = waiting;
		waiting = [];
		running = true;
		database.exec("BEGIN");
		for (const { id, text } of frames) insert.run(id, text);
		database.exec("COMMIT");
		sync((error) => {
			if (error !== undefined) throw error;
			for (const { id, text } of frames) show(id, text);
			running = false;
			if (waiting.length > 0) commit();
		});
	}
	return (id, text) => {
		if (waiting.length === 0 && !running) setImmediate(commit);
		waiting.push({ id, text });
	};
}
