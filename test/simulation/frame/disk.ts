import { closeSync, copyFileSync, existsSync, fstatSync, mkdirSync, openSync, readSync, rmSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Clock } from "../../../packages/server/src/core/kernel/clock.ts";
import type { SqlRow } from "../../../packages/server/src/core/ports/sql.ts";
import type { NativeDatabase, NativeStatement } from "../../../packages/server/src/store/sqlite/sqlite-loader.ts";
import type { Syncer } from "../../../packages/server/src/store/sqlite/sync-thread.ts";
import type { Random } from "../../faults/random.ts";

/** How syncs go: at once, after so long, never until told otherwise, or not at all. */
export type SyncMode = { kind: "fast" } | { kind: "slow"; ms: number } | { kind: "stuck" } | { kind: "failing" };

/** What is on the platter of one process's database: everything that a finished sync covered, and by luck some of what came after it. */
export interface LifeDisk {
	readonly path: string;
	readonly syncer: Syncer;
	setSync(mode: SyncMode): void;
	/** The database takes at most so many pages more; undefined: as many as it likes. */
	fill(pages: number | undefined): void;
	/** A connection of the server: its own one, or another, like that of its lock. */
	opened(database: NativeDatabase, isOwn: boolean): void;
	/** SQLite itself has synced everything, as a checkpoint does. */
	syncedAll(): void;
	/** What the next process finds when this one is killed: whatever was written. */
	killed(to: string): void;
	/** What it finds when the power goes: what was synced, and of the rest what `random` lets through. */
	powerCut(to: string, random: Random): void;
	/** A look at what is written, past everything that is watched or fails. */
	look(sql: string, ...values: (string | number)[]): SqlRow[];
	/** Nothing of it is needed any more. */
	bury(): void;
}

const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
const PAGE_BYTES = 4_096;
const FRAME_BYTES = FRAME_HEADER_BYTES + PAGE_BYTES;
/** A file system writes in pieces of this size, in any order. */
const SECTOR_BYTES = 512;
const MOST_PAGES = 1_000_000;

export function createLifeDisk(path: string, clock: Clock, isAlive: () => boolean): LifeDisk {
	const wal = createWalReader(`${path}-wal`);
	let mode: SyncMode = { kind: "fast" };
	let waiting: ((error?: Error) => void) | undefined;
	let began: WalPosition = NOWHERE;
	let synced: WalPosition = NOWHERE;
	let database: NativeDatabase | undefined;
	let room: number | undefined;
	/** A killed process closes none of them; each that is left open keeps its memory. */
	const connections: NativeDatabase[] = [];
	/** The same looks are taken again and again. */
	const looks = new Map<string, NativeStatement>();

	function finish(error?: Error): void {
		const done = waiting;
		if (done === undefined || !isAlive()) return;
		waiting = undefined;
		if (error === undefined) synced = began;
		done(error);
	}
	function plan(): void {
		if (mode.kind === "fast") clock.soon(() => finish());
		if (mode.kind === "slow") clock.after(mode.ms, () => finish());
		if (mode.kind === "failing") clock.soon(() => finish(new Error("EIO: the disk failed")));
	}
	function limit(): void {
		if (database?.isOpen !== true) return;
		const count = Number(database.prepare("PRAGMA page_count").get()?.page_count);
		database.prepare(`PRAGMA max_page_count = ${room === undefined ? MOST_PAGES : count + room}`).get();
	}
	return {
		path,
		syncer: {
			sync(done) {
				waiting = done;
				began = wal.end();
				plan();
			},
			close: async () => undefined,
		},
		setSync(next) {
			mode = next;
			if (waiting !== undefined) plan();
		},
		fill(pages) {
			room = pages;
			limit();
		},
		opened(connection, isOwn) {
			connections.push(connection);
			if (!isOwn) return;
			database = connection;
			if (room !== undefined) limit();
		},
		syncedAll() {
			synced = wal.end();
		},
		killed(to) {
			copyDatabase(path, to);
		},
		powerCut(to, random) {
			const { salt, end } = wal.end();
			copyDatabase(path, to);
			// A -wal that begins anew has its header synced, and nothing else.
			tear(`${to}-wal`, { from: synced.salt === salt ? synced.end : WAL_HEADER_BYTES, end }, random);
		},
		look(sql, ...values) {
			if (database === undefined) return [];
			const statement = looks.get(sql) ?? database.prepare(sql);
			looks.set(sql, statement);
			return statement.all(...values);
		},
		bury() {
			wal.close();
			for (const connection of connections) if (connection.isOpen) connection.close();
			rmSync(dirname(path), { recursive: true, force: true });
		},
	};
}

/** A place in one round of the -wal: when that begins anew, its salt changes. */
interface WalPosition {
	salt: string;
	end: number;
}
const NOWHERE: WalPosition = { salt: "", end: 0 };

/** How far the frames of the present round of the -wal go. What lies behind them is left from the round before, and no part of it. */
function createWalReader(path: string) {
	let file: number | undefined;
	let salt = "";
	let end = WAL_HEADER_BYTES;
	const header = Buffer.alloc(WAL_HEADER_BYTES);
	return {
		end(): WalPosition {
			if (file === undefined) {
				if (!existsSync(path)) return NOWHERE;
				file = openSync(path, "r");
			}
			if (readSync(file, header, 0, WAL_HEADER_BYTES, 0) < WAL_HEADER_BYTES) return NOWHERE;
			const now = header.toString("latin1", 16, 24);
			if (now !== salt) {
				salt = now;
				end = WAL_HEADER_BYTES;
			}
			const { size } = fstatSync(file);
			while (end + FRAME_BYTES <= size) {
				readSync(file, header, 0, FRAME_HEADER_BYTES, end);
				if (header.toString("latin1", 8, 16) !== salt) break;
				end += FRAME_BYTES;
			}
			return { salt, end };
		},
		close() {
			if (file !== undefined) closeSync(file);
			file = undefined;
		},
	};
}

/** Of what was written and not synced a part reached the disk: a beginning, some of it, or nothing. */
function tear(path: string, { from, end }: { from: number; end: number }, random: Random): void {
	if (end <= from || !existsSync(path)) return;
	const file = openSync(path, "r+");
	const nothing = Buffer.alloc(SECTOR_BYTES);
	const share = random.pick([0, 0, 0.5, 0.9, 1]);
	const isPrefix = random.next() < 0.5;
	const whole = from + Math.floor((end - from) * share);
	for (let at = from; at < end; at += SECTOR_BYTES) {
		const length = Math.min(SECTOR_BYTES, end - at);
		const isThere = isPrefix ? at < whole : random.next() < share;
		if (!isThere) writeSync(file, nothing, 0, length, at);
	}
	closeSync(file);
}

/** The database at one place becomes what lies at the other. */
export function replaceDatabase(from: string, to: string): void {
	for (const suffix of ["", "-wal"]) rmSync(`${to}${suffix}`, { force: true });
	copyDatabase(from, to);
}

function copyDatabase(from: string, to: string): void {
	mkdirSync(dirname(to), { recursive: true });
	for (const suffix of ["", "-wal"]) if (existsSync(`${from}${suffix}`)) copyFileSync(`${from}${suffix}`, `${to}${suffix}`);
}

/** A folder of its own for every process of a host. */
export const databaseAt = (root: string, host: string, life: number) => join(root, `${host}-${life}`, "rightseat.db");
