import { readFileSync, statSync } from "node:fs";
import { fsPath, isBytePath } from "../paths/byte-path.ts";
import { readPath } from "./read-path.ts";
import { RACY_MS } from "./read-within.ts";
import type { LeafStat } from "./tree.ts";

/** The commit that the work tree is at; empty without a repository, or before its first commit. Only reads, and runs nothing. */
export function readHead(root: string): string {
	const folder = gitFolder(root);
	if (folder === undefined) return "";
	const head = readText(folder, "HEAD").trim();
	const [, ref] = /^ref: (refs\/[^\0\n]+)$/.exec(head) ?? [];
	if (ref === undefined) return /^[0-9a-f]{40,64}$/.test(head) ? head : "";
	if (!isBytePath(ref)) return "";
	const shared = commonFolder(folder);
	const loose = readText(folder, ref).trim() || readText(shared, ref).trim();
	if (loose !== "") return loose;
	const packed = readText(shared, "packed-refs")
		.split("\n")
		.find((line) => line.endsWith(` ${ref}`));
	return packed?.split(" ")[0] ?? "";
}

/** What the index of the repository lists, in its order. */
export interface TrackedFiles {
	/** What is tracked is covered, also when it is ignored. Empty when the index cannot be read. */
	readonly names: readonly string[];
	/** The object (20 bytes, latin1) that holds the contents of the file with this place in the list. Undefined unless the index is sure of it: nothing of the file's stat has changed since. */
	objectOf(at: number, stat: LeafStat): string | undefined;
}

/** Reads the index once. */
export function readTracked(root: string): TrackedFiles {
	const folder = gitFolder(root);
	try {
		return folder === undefined ? NOTHING_TRACKED : readIndex(fsPath(folder, "index"));
	} catch {
		// No index, or one of a kind that we do not know: then only the rules decide.
		return NOTHING_TRACKED;
	}
}

/** Where objects are kept; the first is the repository's own. Empty without one. */
export function objectFolders(root: string): string[] {
	const folder = gitFolder(root);
	const found = folder === undefined ? [] : [`${commonFolder(folder)}/objects`];
	for (const objects of found)
		for (const line of readText(objects, "info/alternates").split("\n"))
			if (line !== "" && !line.startsWith("#") && found.length < MAX_OBJECT_FOLDERS)
				found.push(line.startsWith("/") ? line : `${objects}/${line}`);
	return found;
}

/** A repository may borrow objects from others, and those again. */
const MAX_OBJECT_FOLDERS = 8;

/** Attributes and settings of the repository that are in no `.gitattributes`, as latin1. */
export const readAttributes = (root: string): { attributes: string; config: string } => {
	const folder = gitFolder(root);
	if (folder === undefined) return { attributes: "", config: "" };
	const common = commonFolder(folder);
	return { attributes: readText(common, "info/attributes"), config: readText(common, "config") };
};

/** Rules of the repository that are in no `.gitignore`, as latin1. */
export const readExclude = (root: string): string => {
	const folder = gitFolder(root);
	return folder === undefined ? "" : readText(commonFolder(folder), "info/exclude");
};

function gitFolder(root: string): string | undefined {
	const found = readPath(root, ".git");
	if (found.state.kind === "folder") return `${root}/.git`;
	if (found.bytes === undefined) return undefined;
	const [, target] = /^gitdir: ([^\0\n]+)/.exec(Buffer.from(found.bytes).toString("latin1")) ?? [];
	if (target === undefined) return undefined;
	return target.startsWith("/") ? target : `${root}/${target}`;
}

function commonFolder(folder: string): string {
	const common = readText(folder, "commondir").trim();
	if (common === "") return folder;
	return common.startsWith("/") ? common : `${folder}/${common}`;
}

/** Empty when it is not a file that can be read. */
const readText = (folder: string, name: string) => Buffer.from(readPath(folder, name).bytes ?? []).toString("latin1");

const ENTRY_BYTES = 62;
const EXTENDED = 0x4000;
const NAME_LENGTH = 0x0fff;
/** Believed without a look, or of a merge that is not done: then its stat says nothing about the file. */
const UNSURE = 0x8000 | 0x3000;
const [TYPE, REGULAR, LINK, GITLINK] = [0o170000, 0o100000, 0o120000, 0o160000];
const NOTHING_TRACKED: TrackedFiles = { names: [], objectOf: () => undefined };

function readIndex(path: string | Buffer): TrackedFiles {
	// Its time before its bytes: one that is written meanwhile is newer than what is believed of it.
	const { mtimeMs } = statSync(path);
	const bytes = readFileSync(path);
	const { names, places } = parseIndex(bytes);
	return {
		names,
		objectOf(at, stat) {
			const place = places[at] ?? 0;
			return isEntryOf(bytes, place, stat) && isSure(bytes, place, mtimeMs) ? bytes.toString("latin1", place + 40, place + 60) : undefined;
		},
	};
}

const timeAt = (bytes: Buffer, at: number) => bytes.readUInt32BE(at) * 1_000 + bytes.readUInt32BE(at + 4) / 1e6;

function isEntryOf(bytes: Buffer, at: number, stat: LeafStat): boolean {
	const mode = bytes.readUInt32BE(at + 24);
	const isKind = (mode & TYPE) === (stat.mode & TYPE) && ((mode & TYPE) === LINK || (mode & TYPE) === REGULAR);
	const isTime = (saved: number, now: number) => Math.abs(saved - now) < 0.001;
	return (
		isKind &&
		isTime(timeAt(bytes, at), stat.ctimeMs) &&
		isTime(timeAt(bytes, at + 8), stat.mtimeMs) &&
		bytes.readUInt32BE(at + 20) === stat.ino % 2 ** 32 &&
		bytes.readUInt32BE(at + 36) === stat.size
	);
}

/** Git has compared it, and not in the moment in which it was written. */
function isSure(bytes: Buffer, at: number, writtenMs: number): boolean {
	const flags = bytes.readUInt16BE(at + 60);
	const isHidden = (flags & EXTENDED) !== 0 && bytes.readUInt16BE(at + ENTRY_BYTES) !== 0;
	return (flags & UNSURE) === 0 && !isHidden && Math.max(timeAt(bytes, at), timeAt(bytes, at + 8)) + RACY_MS < writtenMs;
}

function parseIndex(bytes: Buffer): { names: string[]; places: number[] } {
	const version = bytes.readUInt32BE(4);
	const [names, places]: [string[], number[]] = [[], []];
	if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return { names, places };
	let at = 12;
	let previous = "";
	for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
		const flags = bytes.readUInt16BE(at + 60);
		const nameAt = at + ENTRY_BYTES + (flags & EXTENDED ? 2 : 0);
		const { name, end } = version === 4 ? packedName(bytes, nameAt, previous) : plainName(bytes, nameAt, flags & NAME_LENGTH);
		if (!isBytePath(name)) return { names: [], places: [] };
		if ((bytes.readUInt32BE(at + 24) & TYPE) !== GITLINK) {
			names.push(name);
			places.push(at);
		}
		previous = name;
		at = version === 4 ? end : at + Math.ceil((end - at) / 8) * 8;
	}
	return { names, places };
}

function plainName(bytes: Buffer, at: number, length: number): { name: string; end: number } {
	const end = length < NAME_LENGTH ? at + length : bytes.indexOf(0, at);
	return { name: bytes.toString("latin1", at, end), end: end + 1 };
}

function packedName(bytes: Buffer, at: number, previous: string): { name: string; end: number } {
	let strip = bytes.readUInt8(at++) ?? 0;
	let value = strip & 0x7f;
	while (strip & 0x80) {
		strip = bytes.readUInt8(at++);
		value = ((value + 1) << 7) | (strip & 0x7f);
	}
	const end = bytes.indexOf(0, at);
	return { name: previous.slice(0, previous.length - value) + bytes.toString("latin1", at, end), end: end + 1 };
}
