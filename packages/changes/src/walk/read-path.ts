import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readlinkSync, readSync, type Stats } from "node:fs";
import type { NotCoveredReason, PathState } from "../model.ts";
import { fsPath } from "../paths/byte-path.ts";

/** A larger file is listed as not covered. */
export const MAX_FILE_BYTES = 5 * 1024 * 1024;
/** A file that changes while it is read is read again this often. */
const READS = 3;
const FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** A path as it was found. `bytes` of a file, `stat` unless there is nothing. */
export interface Reading {
	readonly state: PathState;
	readonly bytes?: Uint8Array;
	readonly stat?: Stats;
}

/** Looks at one path without ever following a link or opening what is no file. Never throws; what cannot be read is `unknown`. */
export function readPath(root: string, path: string): Reading {
	for (let tries = 0; tries < READS; tries += 1) {
		const reading = tryRead(fsPath(root, path));
		if (reading !== "again") return reading;
	}
	return unknown("unstable");
}

/** The permission bits, all twelve. */
export const modeOf = (stat: Stats): number => stat.mode & 0o7777;

export const hashOf = (bytes: Uint8Array): string => createHash("sha256").update(bytes).digest("hex");

/** Nothing is there; every other error means that we cannot know. */
export const isGone = (error: unknown): boolean => ["ENOENT", "ENOTDIR"].includes(errorCode(error));

export function errorCode(error: unknown): string {
	return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}

function tryRead(path: string | Buffer): Reading | "again" {
	try {
		const stat = lstatSync(path);
		if (stat.isDirectory()) return { state: { kind: "folder", mode: modeOf(stat) }, stat };
		if (stat.isSymbolicLink()) return { state: { kind: "link", target: readlinkSync(path, "latin1") }, stat };
		if (!stat.isFile()) return unknown("special", stat);
		if (stat.size > MAX_FILE_BYTES) return unknown("too-large", stat);
		return readRegular(path, stat);
	} catch (error) {
		if (isGone(error)) return { state: { kind: "absent" } };
		// It became a link, or something that is no file, meanwhile.
		return ["ELOOP", "ENXIO", "EINVAL"].includes(errorCode(error)) ? "again" : unknown("unreadable");
	}
}

function readRegular(path: string | Buffer, seen: Stats): Reading | "again" {
	const file = openSync(path, FLAGS);
	try {
		const before = fstatSync(file);
		if (!isSameFile(before, seen)) return "again";
		const bytes = Buffer.allocUnsafe(before.size + 1);
		let length = 0;
		for (let got = -1; got !== 0 && length < bytes.length; length += got) got = readSync(file, bytes, length, bytes.length - length, null);
		const stat = fstatSync(file);
		if (length !== stat.size || !isSameFile(before, stat)) return "again";
		const content = bytes.subarray(0, length);
		return { state: { kind: "file", hash: hashOf(content), size: length, mode: modeOf(stat) }, bytes: content, stat };
	} finally {
		closeSync(file);
	}
}

/** The same file, not written to in between. */
const isSameFile = (one: Stats, other: Stats): boolean =>
	one.ino === other.ino &&
	one.size === other.size &&
	one.mtimeMs === other.mtimeMs &&
	one.ctimeMs === other.ctimeMs &&
	one.mode === other.mode &&
	one.dev === other.dev;

const unknown = (reason: NotCoveredReason, stat?: Stats): Reading => ({
	state: { kind: "unknown", reason },
	...(stat === undefined ? {} : { stat }),
});
