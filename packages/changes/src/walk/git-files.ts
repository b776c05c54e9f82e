import { readFileSync } from "node:fs";
import { fsPath, isBytePath } from "../paths/byte-path.ts";
import { readPath } from "./read-path.ts";

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

/** Names in the index of the repository: what is tracked is covered, also when it is ignored. Empty when it cannot be read. */
export function readTracked(root: string): string[] {
	const folder = gitFolder(root);
	try {
		return folder === undefined ? [] : parseIndex(readFileSync(fsPath(folder, "index")));
	} catch {
		// No index, or one of a kind that we do not know: then only the rules decide.
		return [];
	}
}

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
const GITLINK = 0o160000;

function parseIndex(bytes: Buffer): string[] {
	const version = bytes.readUInt32BE(4);
	if (bytes.toString("latin1", 0, 4) !== "DIRC" || version < 2 || version > 4) return [];
	const names: string[] = [];
	let at = 12;
	for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
		const flags = bytes.readUInt16BE(at + 60);
		const nameAt = at + ENTRY_BYTES + (flags & EXTENDED ? 2 : 0);
		const isFile = (bytes.readUInt32BE(at + 24) & 0o170000) !== GITLINK;
		const { name, end } = version === 4 ? packedName(bytes, nameAt, names.at(-1) ?? "") : plainName(bytes, nameAt, flags & NAME_LENGTH);
		if (!isBytePath(name)) return [];
		// Kept also for a link to another repository: the next name may be written as what differs from it.
		names.push(isFile ? name : `${name}/`);
		at = version === 4 ? end : at + Math.ceil((end - at) / 8) * 8;
	}
	return names.filter((name) => !name.endsWith("/"));
}

function plainName(bytes: Buffer, at: number, length: number): { name: string; end: number } {
	const end = length < NAME_LENGTH ? at + length : bytes.indexOf(0, at);
	return { name: bytes.toString("latin1", at, end), end: end + 1 };
}

function packedName(bytes: Buffer, at: number, before: string): { name: string; end: number } {
	const previous = before.replace(/\/$/, "");
	let strip = bytes.readUInt8(at++) ?? 0;
	let value = strip & 0x7f;
	while (strip & 0x80) {
		strip = bytes.readUInt8(at++);
		value = ((value + 1) << 7) | (strip & 0x7f);
	}
	const end = bytes.indexOf(0, at);
	return { name: previous.slice(0, previous.length - value) + bytes.toString("latin1", at, end), end: end + 1 };
}
