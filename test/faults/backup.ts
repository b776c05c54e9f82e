import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { backupPath, markAsBackup } from "../../packages/server/src/store/backup/backup-files.ts";
import { preparePrivateFile } from "../../packages/server/src/store/health/storage-files.ts";
import { loadSqlite } from "../../packages/server/src/store/sqlite/sqlite-loader.ts";
import { databaseOf, type World } from "./world.ts";

/** A backup such as the server makes once a day, of this moment, in the folder where the server looks for them. */
export function makeBackup(world: World): string {
	const folder = join(world.server.home, "backups");
	mkdirSync(folder, { recursive: true, mode: 0o700 });
	const path = backupPath(folder, Date.now(), "daily");
	preparePrivateFile(path);
	const engine = loadSqlite();
	const source = new engine.module.DatabaseSync(databaseOf(world), { timeout: 5_000 });
	try {
		// `exec` leaves no statement behind: one would keep the connection, and its view of the file, until it is collected.
		source.exec(`VACUUM INTO '${path}'`);
	} finally {
		source.close();
	}
	markAsBackup(engine, path);
	return path;
}

/** Tells the examiner what may be gone when this file is all that is left: whatever is not in it. */
export function allowLossOfWhatIsNotIn(world: World, path: string): void {
	const database = new (loadSqlite().module.DatabaseSync)(path, { readOnly: true });
	try {
		const rows = database.prepare("SELECT content FROM messages").all();
		const kept = rows.map((row) => String(row.content)).join("\n");
		const { prompts, commands, chats, mayBeLost } = world.history;
		for (const id of [...prompts, ...commands, ...chats]) if (!kept.includes(id)) mayBeLost.add(id);
	} finally {
		database.close();
	}
}
