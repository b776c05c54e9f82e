import { randomBytes } from "node:crypto";
import { closeSync, copyFileSync, existsSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from "node:fs";
import { allowLossOfWhatIsNotIn, makeBackup } from "../backup.ts";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { quiet } from "../quiet.ts";
import type { Random } from "../random.ts";
import { databaseOf, type World } from "../world.ts";

const PAGE_BYTES = 4_096;
const RESTORED = [{ anyOf: ["storage:restored"], withinMs: 20_000 }];

/** The database is damaged or put back while the server is down. What is younger than the backup may be gone; nothing else, and no file is deleted. */
export const DAMAGE_FAULTS: Fault[] = [
	damaged("corrupt-database", "pages of the database are overwritten while the server is down", (path) => {
		const file = openSync(path, "r+");
		const pages = statSync(path).size / PAGE_BYTES;
		for (let page = 2; page < pages; page += 3) writeSync(file, randomBytes(PAGE_BYTES), 0, PAGE_BYTES, page * PAGE_BYTES);
		closeSync(file);
	}),
	damaged("garbage-database", "the database is replaced by garbage while the server is down", (path) =>
		writeFileSync(path, randomBytes(200_000)),
	),
	{
		name: "missing-wal",
		breaks: "the server is killed, and the database's write-ahead file is gone when it starts again",
		restarts: true,
		shows: RESTORED,
		async inject(world, random, struck) {
			sendPrompt(world, `in-wal-${random.between(0, 1e9)}`);
			await quiet(world);
			struck();
			await world.server.kill("SIGKILL");
			const path = databaseOf(world);
			if (!existsSync(`${path}-wal`)) throw new Error("There is no write-ahead file to lose.");
			for (const companion of ["-wal", "-shm"]) rmSync(`${path}${companion}`, { force: true });
			await comeBack(world, path);
		},
	},
	{
		name: "restore-backup",
		breaks: "a person stops the server and puts a backup in the place of the database",
		restarts: true,
		shows: [{ anyOf: ["snapshot"], withinMs: 20_000 }],
		async inject(world, random, struck) {
			const backup = await stopAfterBackup(world, random, struck);
			copyFileSync(backup, databaseOf(world));
			await comeBack(world, backup);
		},
	},
];

/** A backup, something younger than it, and the server told to stop. */
async function stopAfterBackup(world: World, random: Random, struck: () => void): Promise<string> {
	await quiet(world);
	const backup = makeBackup(world);
	sendPrompt(world, `after-backup-${random.between(0, 1e9)}`);
	await quiet(world);
	struck();
	await world.server.kill("SIGTERM");
	return backup;
}

function damaged(name: string, breaks: string, damage: (path: string) => void): Fault {
	return {
		name,
		breaks,
		restarts: true,
		shows: RESTORED,
		async inject(world, random, struck) {
			const backup = await stopAfterBackup(world, random, struck);
			const before = keptAside(world);
			damage(databaseOf(world));
			await comeBack(world, backup);
			if (keptAside(world) <= before) throw new Error("The damaged database was not kept aside.");
		},
	};
}

async function comeBack(world: World, source: string): Promise<void> {
	// Read before the server writes to it.
	const copy = `${world.disk.beside}/left.db`;
	copyFileSync(source, copy);
	allowLossOfWhatIsNotIn(world, copy);
	rmSync(copy);
	await world.revive();
	await world.noteStatus();
}

const keptAside = (world: World) => readdirSync(world.server.home).filter((name) => name.includes(".damaged-")).length;
