import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { ChangesIndex } from "../index/open-index.ts";
import { removeChange } from "../steps/settle-change.ts";
import { MAX_STORE_BYTES, type PackStore, packPath, TOUCH_MS } from "./pack-store.ts";

/** Changes are kept this long. */
export const KEEP_MS = 30 * 24 * 60 * 60_000;
/** Above this share of the store the oldest changes go before their time, down to the lower one. */
const [FULL_SHARE, ROOM_SHARE] = [0.9, 0.7];
/** A pack with less than this share in use is written anew without the rest. */
const LIVE_SHARE = 0.5;
/** Changes that are removed in one transaction: others wait meanwhile. */
const CHANGES_AT_ONCE = 50;
const HEADER_BYTES = 40;

export interface MaintainDeps {
	home: string;
	index: ChangesIndex;
	blobs: PackStore;
	now: number;
	maxStoreBytes?: number;
	/** Lets others have their turn. */
	pause?(): Promise<void>;
}

/** What is too old, too much or no longer needed goes: changes, then contents that nothing refers to, then packs that hold little else. */
export async function maintain(deps: MaintainDeps): Promise<void> {
	const { index, now, maxStoreBytes = MAX_STORE_BYTES } = deps;
	await removeChanges(deps, index.sql("SELECT id FROM changes WHERE at < ? AND (settled = 1 OR unfinished = 0)").all(now - KEEP_MS));
	const unused = index.sql("SELECT id FROM roots WHERE used_at < ?").all(now - KEEP_MS);
	for (const { id } of unused) {
		index.sql("DELETE FROM files WHERE root = ?").run(Number(id));
		index.sql("DELETE FROM roots WHERE id = ?").run(Number(id));
	}
	await collect(deps);
	while (storedBytes(index) > maxStoreBytes * FULL_SHARE) {
		const oldest = index.sql("SELECT id FROM changes WHERE settled = 1 ORDER BY at LIMIT ?").all(CHANGES_AT_ONCE);
		await removeChanges(deps, oldest);
		const isLast = oldest.length < CHANGES_AT_ONCE;
		if (isLast || liveBytes(index) < maxStoreBytes * ROOM_SHARE) await collect(deps);
		if (isLast) return;
	}
}

/** After a crash: no pack is being written to, and files that the index does not know are of nobody. To be called before anybody writes. */
export function tidyPacks(home: string, index: ChangesIndex): void {
	index.sql("UPDATE packs SET open = 0").run();
	const known = new Set(
		index
			.sql("SELECT id FROM packs")
			.all()
			.map(({ id }) => packPath(home, Number(id))),
	);
	for (const name of readdirSync(join(home, "packs"))) {
		const path = join(home, "packs", name);
		if (!known.has(path)) rmSync(path, { force: true });
	}
}

async function removeChanges({ index, pause }: MaintainDeps, rows: readonly { id?: unknown }[]): Promise<void> {
	for (let at = 0; at < rows.length; at += CHANGES_AT_ONCE) {
		index.transaction(() => {
			for (const { id } of rows.slice(at, at + CHANGES_AT_ONCE)) removeChange(index, String(id));
		});
		await pause?.();
	}
}

async function collect(deps: MaintainDeps): Promise<void> {
	const { home, index, blobs, now, pause } = deps;
	markLive(index);
	// Who finds contents kept says so when that was last said half an hour ago; so nothing that is about to be referred to is this old.
	index.sql("DELETE FROM blobs WHERE used_at < ? AND hash NOT IN (SELECT hash FROM live)").run(now - 2 * TOUCH_MS);
	for (const { id, bytes } of index.sql("SELECT id, bytes FROM packs WHERE open = 0").all()) {
		const rows = index.sql("SELECT hash, length FROM blobs WHERE pack = ?").all(Number(id));
		const live = rows.reduce((sum, row) => sum + Number(row.length) + HEADER_BYTES, 0);
		if (rows.length > 0 && live >= Number(bytes) * LIVE_SHARE) continue;
		index.transaction(() => {
			for (const { hash } of rows) if (!blobs.move(String(hash))) index.sql("DELETE FROM blobs WHERE hash = ?").run(String(hash));
			blobs.flush();
		});
		await blobs.sync();
		index.checkpoint();
		index.sql("DELETE FROM packs WHERE id = ?").run(Number(id));
		rmSync(packPath(home, Number(id)), { force: true });
		await pause?.();
	}
	index.sql("PRAGMA incremental_vacuum(1000)").all();
}

/** What known files, steps and unfinished undos refer to. */
function markLive(index: ChangesIndex): void {
	index.sql("CREATE TEMP TABLE IF NOT EXISTS live (hash TEXT PRIMARY KEY) WITHOUT ROWID").run();
	index.sql("DELETE FROM live").run();
	for (const [table, column] of [
		["files", "state"],
		["steps", "before"],
		["steps", "after"],
	])
		index.sql(`INSERT OR IGNORE INTO live SELECT substr(${column}, -64) FROM ${table} WHERE ${column} LIKE 'f%'`).run();
	for (const { plan } of index.sql("SELECT plan FROM undos").all())
		for (const [hash] of String(plan).matchAll(/\b[0-9a-f]{64}\b/g)) index.sql("INSERT OR IGNORE INTO live VALUES (?)").run(hash);
}

const storedBytes = (index: ChangesIndex) => Number(index.sql("SELECT coalesce(sum(bytes), 0) AS bytes FROM packs").get()?.bytes);

function liveBytes(index: ChangesIndex): number {
	markLive(index);
	const row = index
		.sql(`SELECT coalesce(sum(length + ${HEADER_BYTES}), 0) AS bytes FROM blobs WHERE hash IN (SELECT hash FROM live)`)
		.get();
	return Number(row?.bytes);
}
