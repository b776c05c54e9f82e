import type { FileHandle } from "node:fs/promises";
import { READ_BYTES } from "../session/history-lines.ts";
import { openOwnFile } from "./own-file.ts";

/** How theirs stands to ours: histories only grow, so one that begins with the other is the same, later. */
export type Standing = "absent" | "same" | "behind" | "ahead" | "apart";

/** Byte by byte. `apart`: each has something that the other has not, or one is not a file that may be read. */
export async function compareHistories(ours: string, theirs: string): Promise<Standing> {
	const their = await openOwnFile(theirs).catch((error: unknown) => {
		if (error instanceof Error && "code" in error && error.code === "ENOENT") return "absent" as const;
		throw error;
	});
	if (their === "absent") return "absent";
	if (their === undefined) return "apart";
	const our = await openOwnFile(ours).catch(() => undefined);
	try {
		if (our === undefined || !(await beginAlike(our.file, their.file, Math.min(our.size, their.size)))) return "apart";
		if (our.size === their.size) return "same";
		return their.size < our.size ? "behind" : "ahead";
	} finally {
		await their.file.close();
		await our?.file.close();
	}
}

async function beginAlike(one: FileHandle, other: FileHandle, size: number): Promise<boolean> {
	const [a, b] = [Buffer.alloc(READ_BYTES), Buffer.alloc(READ_BYTES)];
	for (let at = 0; at < size; ) {
		const length = Math.min(READ_BYTES, size - at);
		const [first, second] = await Promise.all([one.read(a, 0, length, at), other.read(b, 0, length, at)]);
		const read = Math.min(first.bytesRead, second.bytesRead);
		if (read === 0 || !a.subarray(0, read).equals(b.subarray(0, read))) return false;
		at += read;
	}
	return true;
}
