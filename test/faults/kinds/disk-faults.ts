import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { loadSqlite } from "../../../packages/server/src/store/sqlite/sqlite-loader.ts";
import type { Fault } from "../fault.ts";
import { sendPrompt } from "../history.ts";
import { until } from "../quiet.ts";
import { wait } from "../wait.ts";
import { databaseOf, type World } from "../world.ts";

const READ_ONLY = [{ anyOf: ["storage:read-only", "nack:storage-read-only"] }];

/** The disk refuses writes while the server runs. What is stored stays readable, and nothing that was acknowledged is lost. */
export const DISK_FAULTS: Fault[] = [
	{
		name: "disk-full",
		breaks: "the disk is full for seconds (ENOSPC on a small file system)",
		shows: READ_ONLY,
		missing: (world) => (world.disk.kind === "none" ? "mounting a small file system is not permitted here" : undefined),
		async inject(world, random, struck) {
			shortenWal(world);
			world.disk.fill();
			struck();
			await whileRefused(world, random.between(0, 1e9));
			world.disk.free();
		},
		heal: (world) => world.disk.free(),
	},
	{
		name: "write-refused",
		breaks: "every write that makes a file longer is refused for seconds (EFBIG by RLIMIT_FSIZE)",
		shows: READ_ONLY,
		missing: () => (spawnSync("prlimit", ["--version"]).status === 0 ? undefined : "there is no prlimit here"),
		async inject(world, random, struck) {
			shortenWal(world);
			limitFileSize(world, String(statSync(`${databaseOf(world)}-wal`).size));
			struck();
			await whileRefused(world, random.between(0, 1e9));
			limitFileSize(world, "unlimited");
		},
	},
	{
		name: "database-read-only",
		breaks: "the database cannot be written for seconds (chattr +i)",
		shows: READ_ONLY,
		missing: (world) => (world.disk.kind === "ext4" ? undefined : "immutable files need an ext4 file system of our own"),
		async inject(world, random, struck) {
			world.disk.setImmutable(writtenFiles(world), true);
			struck();
			await whileRefused(world, random.between(0, 1e9));
			world.disk.setImmutable(writtenFiles(world), false);
		},
		heal: (world) => world.disk.setImmutable(writtenFiles(world), false),
	},
	{
		name: "database-locked",
		breaks: "another process holds the database's lock for seconds",
		async inject(world, random) {
			const held = await holdLock(databaseOf(world));
			sendPrompt(world, `locked-${random.between(0, 1e9)}`);
			await wait(random.between(1_000, 3_000));
			await held.release();
		},
	},
	{
		name: "database-locked-long",
		breaks: "another process holds the database's lock for longer than the server waits",
		// The server stands still while it waits for the lock, so a page may notice the silence before it is told the reason.
		shows: [{ anyOf: ["nack:storage-busy", "error:storage-busy", "lost"], withinMs: 12_000 }],
		async inject(world, random, struck) {
			const held = await holdLock(databaseOf(world));
			struck();
			sendPrompt(world, `locked-${random.between(0, 1e9)}`);
			await wait(9_000);
			await held.release();
		},
	},
];

/** While nothing can be stored: a prompt is refused with a reason, history is readable, `/healthz` says that something is wrong. */
async function whileRefused(world: World, id: number): Promise<void> {
	const since = Date.now();
	sendPrompt(world, `refused-${id}`);
	await until(
		"The refusal",
		() => world.signs().some((sign) => sign.at >= since && READ_ONLY[0]?.anyOf.includes(sign.name) === true),
		8_000,
	);
	const page = await world.server.api(`/api/conversations/${world.conversationId}/messages`);
	if (page.status !== 200) throw new Error(`History answers ${page.status} while the disk refuses.`);
	const health: { status: string } = await (await world.server.api("/healthz")).json();
	if (health.status !== "degraded") throw new Error(`/healthz says ${health.status} while the disk refuses.`);
	await wait(1_500);
}

const writtenFiles = (world: World) => [databaseOf(world), `${databaseOf(world)}-wal`].filter((file) => existsSync(file));

/** Writes into a part of the -wal that exists already need no space: without this the fault would hit nothing for a long time. */
function shortenWal(world: World): void {
	const database = new (loadSqlite().module.DatabaseSync)(databaseOf(world), { timeout: 5_000 });
	try {
		database.exec("PRAGMA wal_checkpoint(TRUNCATE)");
	} finally {
		database.close();
	}
}

/** The soft limit only, so that it can be taken back without being root. */
function limitFileSize(world: World, bytes: string): void {
	execFileSync("prlimit", ["--pid", String(world.server.pid), `--fsize=${bytes}:unlimited`]);
}

/** A process of its own: a lock of this process would not survive being careless about file handles. */
async function holdLock(path: string): Promise<{ release(): Promise<void> }> {
	const holder = spawn(process.execPath, ["--import", "tsx", join(import.meta.dirname, "..", "hold-lock.ts"), path], {
		stdio: ["pipe", "pipe", "inherit"],
	});
	await once(holder.stdout, "data");
	return {
		async release() {
			holder.stdin.end();
			await once(holder, "close");
		},
	};
}
