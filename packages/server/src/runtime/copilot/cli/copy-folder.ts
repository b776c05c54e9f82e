import { mkdir, open, opendir, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../../core/kernel/errors.ts";
import { DESCRIPTION, HISTORY, isLock, linesOf, READ_BYTES, renameStart } from "../session/history-lines.ts";
import { MAX_DESCRIPTION_BYTES } from "./look-at-session.ts";
import { isOwnFolder, openOwnFile, readOwnText } from "./own-file.ts";

/** Files of a session beside its history that are copied … */
const MAX_COPIED_FILES = 5_000;
/** … and their size together; a session with more is not copied at all. */
export const MAX_COPIED_FILE_BYTES = 256 * 1_048_576;
const MAX_DEPTH = 8;

/** What people read of a session that cannot be copied. */
export const notCopied = (because: string, cause?: unknown) =>
	new AppError("session-failed", `The agent session could not be copied: ${because}`, { cause, params: { reason: "not-copied", because } });

/**
 * Copies what a session's folder holds beside its history, without locks, and nothing that a link leads to. The source is only read. Rejects with
 * an AppError or what the disk says.
 */
export async function copyBeside(from: string, to: string, sessionId: string): Promise<void> {
	const left = { files: MAX_COPIED_FILES, bytes: MAX_COPIED_FILE_BYTES };
	await copyEntries(from, to, { left, depth: 0 });
	const description = await readOwnText(join(from, DESCRIPTION), MAX_DESCRIPTION_BYTES);
	if (description === undefined) return;
	await writeNew(join(to, DESCRIPTION), [Buffer.from(description.replace(/^id:.*$/m, `id: ${sessionId}`))]);
}

/** Copies the whole lines of a history under an id; a last one that is being written is left out. Rejects when it is none. */
export async function copyLines(from: string, to: string, sessionId: string): Promise<void> {
	const opened = await openOwnFile(from);
	if (opened === undefined) throw notCopied("its history is not a plain file of this user.");
	try {
		await writeNew(to, renamed(linesOf(opened.file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false })), sessionId));
	} finally {
		await opened.file.close();
	}
}

/** The same bytes where the id is the same: whether two histories are one and the same can be seen by them. */
async function* renamed(lines: AsyncIterable<Buffer>, sessionId: string): AsyncGenerator<Buffer> {
	let isFirst = true;
	for await (const line of lines) {
		const start = isFirst && !line.includes(`"sessionId":"${sessionId}"`) ? renameStart(line, sessionId) : line;
		if (start === undefined) throw notCopied("its history does not begin as one.");
		yield start;
		isFirst = false;
	}
	if (isFirst) throw notCopied("its history is empty.");
}

async function copyEntries(from: string, to: string, at: { left: { files: number; bytes: number }; depth: number }): Promise<void> {
	const { left, depth } = at;
	if (depth > MAX_DEPTH) throw notCopied("its folder is too deep.");
	await mkdir(to, { recursive: true, mode: 0o700 });
	for await (const entry of await opendir(from)) {
		const { name } = entry;
		if (isLock(name) || (depth === 0 && (name === HISTORY || name === DESCRIPTION))) continue;
		const [source, target] = [join(from, name), join(to, name)];
		if (entry.isDirectory()) {
			if (await isOwnFolder(source)) await copyEntries(source, target, { left, depth: depth + 1 });
			continue;
		}
		const opened = entry.isFile() ? await openOwnFile(source) : undefined;
		if (opened === undefined) continue;
		try {
			left.files -= 1;
			left.bytes -= opened.size;
			if (left.files < 0 || left.bytes < 0) throw notCopied("its folder is too large.");
			await writeNew(target, opened.file.createReadStream({ highWaterMark: READ_BYTES, autoClose: false, ...endOf(opened.size) }));
		} finally {
			await opened.file.close();
		}
	}
}

/** A file that grows while it is copied is copied as it was. */
const endOf = (size: number) => (size === 0 ? {} : { end: size - 1 });

/** Takes the place of whatever has this name; nobody else may read it, and it is on the disk when this resolves. */
async function writeNew(path: string, content: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
	await rm(path, { force: true });
	const file = await open(path, "wx", 0o600);
	try {
		for await (const piece of content) await file.writeFile(piece);
		await file.sync();
	} finally {
		await file.close();
	}
}
