import { constants, open } from "node:fs/promises";
import type { TurnAttachment } from "../core/ports/agent-runtime.ts";

/** A text file goes along with the prompt up to this size, and so much of them in one prompt: it stays in the history. The others are named only. */
export const MAX_INLINE_BYTES = 20_000;
export const MAX_INLINE_TOTAL_BYTES = 60_000;

/** The words of these files, in their order; undefined where one is no text, too large, not there any more, or holds what must not be told. */
export async function readInlineTexts(files: readonly TurnAttachment[], redact: (text: string) => string): Promise<(string | undefined)[]> {
	const texts: (string | undefined)[] = [];
	let left = MAX_INLINE_TOTAL_BYTES;
	for (const { path, mimeType } of files) {
		const found = isTextType(mimeType) ? await readText(path, Math.min(MAX_INLINE_BYTES, left)) : undefined;
		const told = found !== undefined && redact(found) === found ? found : undefined;
		left -= told === undefined ? 0 : Buffer.byteLength(told);
		texts.push(told);
	}
	return texts;
}

const isTextType = (mimeType: string) => mimeType.startsWith("text/") || mimeType === "application/json";

/** The whole file, if it is one: what was put in its place as a link, or as a second name of another file, is not read. */
async function readText(path: string, maxBytes: number): Promise<string | undefined> {
	try {
		const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
		try {
			const { size, nlink } = await file.stat();
			if (size > maxBytes || nlink !== 1) return undefined;
			const bytes = Buffer.alloc(size);
			const { bytesRead } = await file.read(bytes, 0, size, 0);
			const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(0, bytesRead));
			return text.includes("\0") ? undefined : text;
		} finally {
			await file.close();
		}
	} catch {
		// No text, or not ours to read: the agent is given its name all the same.
		return undefined;
	}
}
