import { readFile } from "node:fs/promises";
import { type AttachmentPart, MAX_FILE_PARTS } from "@rightseat/protocol/fleet/requests";
import type { Attachments } from "./attachments.ts";

/** One message carries so much of a file, or less where the engine takes less. */
export const FILE_PART_BYTES = 393_216;
/** Around a part: names, ids, signature, seal. */
const AROUND_BYTES = 12_288;

/** Brings attachments of this host to another one, part by part; sent again they are the same there, so that a prompt that is repeated is the same prompt. */
export async function bringFiles(
	attachments: Pick<Attachments, "get">,
	ids: readonly string[],
	send: (part: AttachmentPart) => Promise<string | undefined>,
	maxBytes: () => number = () => Number.POSITIVE_INFINITY,
): Promise<string[]> {
	const there: string[] = [];
	for (const id of ids) {
		const { path, name } = attachments.get(id);
		const bytes = await readFile(path);
		// As base64 three bytes are four. Smaller than a part of `MAX_FILE_PARTS` it never is.
		const least = Math.ceil(bytes.length / MAX_FILE_PARTS);
		const partBytes = Math.max(1, least, Math.min(FILE_PART_BYTES, Math.floor(((maxBytes() - AROUND_BYTES) / 4) * 3)));
		const parts = Math.max(1, Math.ceil(bytes.length / partBytes));
		for (let part = 0; part < parts; part++) {
			const base64 = bytes.subarray(part * partBytes, (part + 1) * partBytes).toString("base64");
			const kept = await send({ id, name, size: bytes.length, part, parts, base64 });
			// All of it is there from an earlier try.
			if (kept === undefined) continue;
			there.push(kept);
			break;
		}
	}
	return there;
}
