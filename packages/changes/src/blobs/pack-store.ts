import { closeSync, constants, fdatasync, fdatasyncSync, openSync, readSync, writeSync } from "node:fs";
import { join } from "node:path";
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { ChangesIndex } from "../index/open-index.ts";
import type { Blobs } from "../model.ts";
import { errorCode, hashOf } from "../walk/read-path.ts";
import { StoreFullError } from "./store-full.ts";

/** A pack that has reached this size takes nothing more. */
const MAX_PACK_BYTES = 64 * 1024 * 1024;
/** Everything that this server keeps. */
export const MAX_STORE_BYTES = 2 * 1024 * 1024 * 1024;
/** Who finds contents kept that were last needed before this long says that they are needed; `compact.ts` leaves such alone. */
export const TOUCH_MS = 30 * 60_000;
/** Packs that are open for reading. */
const MAX_OPEN_PACKS = 16;
/** In front of each content: its hash and both lengths, so that packs can be read without the index. */
const HEADER_BYTES = 40;

/** Contents in files that are only appended to. Each writer has a pack of its own, so several threads can share a folder. */
export interface PackStore extends Blobs {
	/** Writes contents that are kept to the end of the newest pack, so that their old one can go. False: they cannot be read. */
	move(hash: string): boolean;
	/** Puts what was written since into the index. Must be called inside the transaction that refers to it. */
	flush(): void;
	close(): void;
}

export interface PackStoreOptions {
	home: string;
	index: ChangesIndex;
	maxPackBytes?: number;
	maxStoreBytes?: number;
}

interface Place {
	pack: number;
	offset: number;
	length: number;
	size: number;
}

export function createPackStore(options: PackStoreOptions): PackStore {
	const { home, index, maxPackBytes = MAX_PACK_BYTES, maxStoreBytes = MAX_STORE_BYTES } = options;
	/** Written, and not in the index yet. */
	const pending = new Map<string, Place>();
	const readers = createPackReaders(home);
	let current: { id: number; file: number; bytes: number } | undefined;
	let stored = Number(index.sql("SELECT coalesce(sum(bytes), 0) AS bytes FROM packs").get()?.bytes);

	function place(hash: string): Place | undefined {
		return pending.get(hash) ?? findPlace(index, hash);
	}

	function append(hash: string, bytes: Uint8Array, limit: number): void {
		const deflated = deflateRawSync(bytes, { level: 1 });
		const body = deflated.length < bytes.length ? deflated : bytes;
		const record = Buffer.allocUnsafe(HEADER_BYTES + body.length);
		record.write(hash, 0, "hex");
		record.writeUInt32LE(bytes.length, 32);
		record.writeUInt32LE(body.length, 36);
		record.set(body, HEADER_BYTES);
		if (stored + record.length > limit) throw new StoreFullError(`More than ${maxStoreBytes} bytes would be kept.`);
		if (current !== undefined && current.bytes + record.length > maxPackBytes) endPack();
		current ??= beginPack(home, index);
		const offset = current.bytes;
		writeAll(current.file, record, offset);
		current.bytes += record.length;
		stored += record.length;
		pending.set(hash, { pack: current.id, offset: offset + HEADER_BYTES, length: body.length, size: bytes.length });
	}

	function endPack(): void {
		if (current === undefined) return;
		index.sql("UPDATE packs SET bytes = ?, open = 0 WHERE id = ?").run(current.bytes, current.id);
		fdatasyncSync(current.file);
		closeSync(current.file);
		current = undefined;
	}

	return {
		put(bytes) {
			const hash = hashOf(bytes);
			if (pending.has(hash)) return hash;
			const kept = index.sql("SELECT used_at FROM blobs WHERE hash = ?").get(hash);
			if (kept === undefined) append(hash, bytes, maxStoreBytes);
			else if (Number(kept.used_at) < Date.now() - TOUCH_MS) index.sql("UPDATE blobs SET used_at = ? WHERE hash = ?").run(Date.now(), hash);
			return hash;
		},
		get(hash) {
			const found = place(hash);
			if (found === undefined) return undefined;
			const bytes = readers.read(found) ?? readAgain(hash);
			return bytes !== undefined && hashOf(bytes) === hash ? bytes : undefined;
		},
		move(hash) {
			const found = findPlace(index, hash);
			const bytes = found && readers.read(found);
			if (bytes === undefined || hashOf(bytes) !== hash) return false;
			// What it replaces goes right after.
			append(hash, bytes, Number.POSITIVE_INFINITY);
			const { pack, offset, length } = pending.get(hash) ?? { pack: 0, offset: 0, length: 0 };
			index.sql("UPDATE blobs SET pack = ?, offset = ?, length = ? WHERE hash = ?").run(pack, offset, length, hash);
			return true;
		},
		flush() {
			if (pending.size === 0) return;
			const insert = index.sql("INSERT OR IGNORE INTO blobs (hash, pack, offset, length, size, used_at) VALUES (?, ?, ?, ?, ?, ?)");
			for (const [hash, { pack, offset, length, size }] of pending) insert.run(hash, pack, offset, length, size, Date.now());
			if (current !== undefined) index.sql("UPDATE packs SET bytes = ? WHERE id = ?").run(current.bytes, current.id);
			stored = Number(index.sql("SELECT coalesce(sum(bytes), 0) AS bytes FROM packs").get()?.bytes);
			pending.clear();
		},
		async sync() {
			const file = current?.file;
			if (file === undefined) return;
			await new Promise<void>((resolve, reject) => fdatasync(file, (error) => (error === null ? resolve() : reject(error))));
		},
		close() {
			endPack();
			readers.close();
		},
	};

	/** Compaction may have moved it since we looked. */
	function readAgain(hash: string): Uint8Array | undefined {
		const found = findPlace(index, hash);
		return found === undefined ? undefined : readers.read(found);
	}
}

export const packPath = (home: string, pack: number): string => join(home, "packs", `${String(pack).padStart(6, "0")}.pack`);

function findPlace(index: ChangesIndex, hash: string): Place | undefined {
	const row = index.sql("SELECT pack, offset, length, size FROM blobs WHERE hash = ?").get(hash);
	return row && { pack: Number(row.pack), offset: Number(row.offset), length: Number(row.length), size: Number(row.size) };
}

function beginPack(home: string, index: ChangesIndex): { id: number; file: number; bytes: number } {
	const id = Number(index.sql("INSERT INTO packs (bytes) VALUES (0) RETURNING id").get()?.id);
	const flags = constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC;
	return { id, file: openSync(packPath(home, id), flags, 0o600), bytes: 0 };
}

/** Nothing of a record counts until it is whole: the next one is written over what a full disk left of it. */
function writeAll(file: number, record: Buffer, offset: number): void {
	try {
		for (let written = 0; written < record.length; ) written += writeSync(file, record, written, record.length - written, offset + written);
	} catch (error) {
		if (["ENOSPC", "EDQUOT", "EFBIG"].includes(errorCode(error))) throw new StoreFullError("The disk is full.", { cause: error });
		throw error;
	}
}

function createPackReaders(home: string) {
	const open = new Map<number, number>();
	function fileOf(pack: number): number {
		const known = open.get(pack);
		if (known !== undefined) return known;
		const [oldest] = open;
		if (open.size >= MAX_OPEN_PACKS && oldest !== undefined) {
			closeSync(oldest[1]);
			open.delete(oldest[0]);
		}
		const file = openSync(packPath(home, pack), constants.O_RDONLY);
		open.set(pack, file);
		return file;
	}
	return {
		/** Undefined when the pack is gone, cut short or damaged. */
		read({ pack, offset, length, size }: Place): Uint8Array | undefined {
			try {
				const body = Buffer.allocUnsafe(length);
				if (readSync(fileOf(pack), body, 0, length, offset) !== length) return undefined;
				return length === size ? body : inflateRawSync(body, { maxOutputLength: Math.max(1, size) });
			} catch {
				// Whoever asks lists it as no longer kept.
				return undefined;
			}
		},
		close() {
			for (const file of open.values()) closeSync(file);
			open.clear();
		},
	};
}
