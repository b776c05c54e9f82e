import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, openSync, readdirSync, readSync } from "node:fs";
import { inflateSync } from "node:zlib";
import { fsPath } from "../paths/byte-path.ts";
import { applyDelta, readVarint } from "./git-delta.ts";
import { objectFolders } from "./git-files.ts";
import { errorCode, MAX_FILE_BYTES } from "./read-path.ts";

/** Contents that a repository holds, read from its own files: no git runs, and nothing is written, not even a time. */
export interface GitObjects {
	/** The file with this object id (20 bytes, latin1). Undefined when it is not there, too large, damaged, or of a kind that we do not know. */
	read(id: string): Uint8Array | undefined;
	/** Lets go of its files; the next `read` opens them again. */
	close(): void;
}

/** What a delta is made from may be larger than what comes out. */
const MAX_OBJECT_BYTES = 20 * 1024 * 1024;
/** Deltas of deltas; git makes fifty. */
const MAX_DEPTH = 250;
/** Packs of one repository that are looked into. */
const MAX_PACKS = 200;
const ID_BYTES = 20;
const [BLOB, OFFSET_DELTA, ID_DELTA] = [3, 6, 7];

interface Pack {
	index: number;
	pack: number;
	count: number;
	end: number;
}
interface Found {
	pack: Pack;
	at: number;
}

export function createGitObjects(root: string): GitObjects {
	let folders: string[] | undefined;
	let packs: Pack[] | undefined;

	function find(id: string): Found | undefined {
		packs ??= (folders ?? []).flatMap((folder) => openPacks(`${folder}/pack`)).slice(0, MAX_PACKS);
		for (const pack of packs) {
			const at = findIn(pack, Buffer.from(id, "latin1"));
			if (at !== undefined) return { pack, at };
		}
		return undefined;
	}

	/** Packed as a whole, or as what differs from another object. */
	function unpack({ pack, at }: Found, depth: number): Buffer | undefined {
		const head = readAt(pack.pack, at, 32);
		const { type, size, length } = entryHead(head);
		if (size > MAX_OBJECT_BYTES || depth > MAX_DEPTH) return undefined;
		const rest = head.subarray(length);
		if (type === BLOB) return inflateAt(pack, at + length, size);
		if (type === ID_DELTA) {
			const base = find(rest.toString("latin1", 0, ID_BYTES));
			const from = base && unpack(base, depth + 1);
			return from && applyDelta(from, inflateAt(pack, at + length + ID_BYTES, size), MAX_OBJECT_BYTES);
		}
		if (type !== OFFSET_DELTA) return undefined;
		const back = readVarint(rest, { isOffset: true });
		const from = unpack({ pack, at: at - back.value }, depth + 1);
		return from && applyDelta(from, inflateAt(pack, at + length + back.length, size), MAX_OBJECT_BYTES);
	}

	function load(id: string): Buffer | undefined {
		folders ??= objectFolders(root);
		for (const folder of folders) {
			const loose = readLoose(folder, id);
			if (loose !== undefined) return loose;
		}
		const found = find(id);
		return found && unpack(found, 0);
	}

	return {
		read(id) {
			try {
				const bytes = load(id);
				return bytes !== undefined && bytes.length <= MAX_FILE_BYTES && idOf(bytes) === id ? bytes : undefined;
			} catch {
				// Damaged, cut short, or removed by a gc meanwhile.
				return undefined;
			}
		},
		close() {
			for (const { index, pack } of packs ?? []) {
				closeSync(index);
				closeSync(pack);
			}
			packs = undefined;
			folders = undefined;
		},
	};
}

const idOf = (bytes: Uint8Array) => createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest().toString("latin1");

function readLoose(folder: string, id: string): Buffer | undefined {
	const name = Buffer.from(id, "latin1").toString("hex");
	const file = openRegular(`${folder}/${name.slice(0, 2)}/${name.slice(2)}`);
	if (file === undefined) return undefined;
	try {
		const { size } = fstatSync(file);
		if (size > MAX_OBJECT_BYTES) return undefined;
		const whole = inflateSync(readAt(file, 0, size), { maxOutputLength: MAX_OBJECT_BYTES });
		const end = whole.indexOf(0);
		return whole.toString("latin1", 0, 5) === "blob " && end > 0 ? whole.subarray(end + 1) : undefined;
	} finally {
		closeSync(file);
	}
}

function openPacks(folder: string): Pack[] {
	const names = listed(folder).filter((name) => name.endsWith(".idx"));
	return names.flatMap((name): Pack[] => {
		const [index, pack] = [openRegular(`${folder}/${name}`), openRegular(`${folder}/${name.slice(0, -4)}.pack`)];
		const head = index === undefined ? undefined : readAt(index, 0, HEAD_BYTES);
		if (
			index !== undefined &&
			pack !== undefined &&
			head?.length === HEAD_BYTES &&
			head.readUInt32BE(0) === MAGIC &&
			head.readUInt32BE(4) === 2
		)
			return [{ index, pack, count: head.readUInt32BE(HEAD_BYTES - 4), end: fstatSync(pack).size - ID_BYTES }];
		for (const file of [index, pack]) if (file !== undefined) closeSync(file);
		return [];
	});
}

const MAGIC = 0xff744f63;
/** Magic, version, and how many ids begin with each byte or a smaller one. */
const HEAD_BYTES = 8 + 256 * 4;

/** Where the object begins in its pack. */
function findIn({ index, count }: Pack, id: Buffer): number | undefined {
	const first = id[0] ?? 0;
	const counts = readAt(index, 8 + Math.max(0, first - 1) * 4, 8);
	let [low, high] = first === 0 ? [0, counts.readUInt32BE(0)] : [counts.readUInt32BE(0), counts.readUInt32BE(4)];
	while (low < high) {
		const middle = (low + high) >>> 1;
		const order = readAt(index, HEAD_BYTES + middle * ID_BYTES, ID_BYTES).compare(id);
		if (order === 0) return offsetOf(index, count, middle);
		if (order < 0) low = middle + 1;
		else high = middle;
	}
	return undefined;
}

/** Behind the ids there are a checksum and an offset of four bytes for each; an offset with its highest bit set is a place in a list of longer ones. */
function offsetOf(index: number, count: number, at: number): number {
	const offsets = HEAD_BYTES + count * (ID_BYTES + 4);
	const offset = readAt(index, offsets + at * 4, 4).readUInt32BE(0);
	if (offset < 2 ** 31) return offset;
	return Number(readAt(index, offsets + count * 4 + (offset - 2 ** 31) * 8, 8).readBigUInt64BE(0));
}

/** Type and size share the first byte, the rest of the size follows. */
function entryHead(head: Buffer): { type: number; size: number; length: number } {
	const first = head.readUInt8(0);
	const type = (first >> 4) & 7;
	if (first < 0x80) return { type, size: first & 15, length: 1 };
	const more = readVarint(head.subarray(1), { isOffset: false });
	return { type, size: (first & 15) + more.value * 16, length: 1 + more.length };
}

/** What follows in the pack does no harm: the packed bytes say themselves where they end. */
function inflateAt({ pack, end }: Pack, at: number, size: number): Buffer {
	const room = Math.min(end - at, size + (size >>> 6) + 1_024);
	return inflateSync(readAt(pack, at, room), { maxOutputLength: Math.max(1, size) });
}

function readAt(file: number, at: number, length: number): Buffer {
	const bytes = Buffer.allocUnsafe(length);
	let got = 0;
	for (let read = -1; read !== 0 && got < length; got += read) read = readSync(file, bytes, got, length - got, at + got);
	return bytes.subarray(0, got);
}

/** Reading it must not even change when it was last read, where the system lets us ask for that. */
function openRegular(path: string): number | undefined {
	for (const more of [constants.O_NOATIME ?? 0, 0]) {
		try {
			const file = openSync(fsPath(path, ""), constants.O_RDONLY | constants.O_NONBLOCK | more);
			if (fstatSync(file).isFile()) return file;
			closeSync(file);
			return undefined;
		} catch (error) {
			if (errorCode(error) !== "EPERM") return undefined;
		}
	}
	return undefined;
}

function listed(folder: string): string[] {
	try {
		return readdirSync(fsPath(folder, ""), { encoding: "latin1" });
	} catch {
		// None are packed, or nobody may look.
		return [];
	}
}
