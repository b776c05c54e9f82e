import { readFile } from "node:fs/promises";
import type { AttachmentPart } from "@rightseat/protocol/fleet/requests";
import type { Attachments } from "./attachments.ts";

/** One message carries so much of a file. */
export const FILE_PART_BYTES = 393_216;

/** Brings attachments of this host to another one, part by part; sent again they are the same there, so that a prompt that is repeated is the same prompt. */
export async function bringFiles(
	attachments: Pick<Attachments, "get">,
	ids: readonly string[],
	send: (part: AttachmentPart) => Promise<string | undefined>,
): Promise<string[]> {
	const there: string[] = [];
	for (const id of ids) {
		const { path, name } = attachments.get(id);
		const bytes = await readFile(path);
		const parts = Math.max(1, Math.ceil(bytes.length / FILE_PART_BYTES));
		for (let part = 0; part < parts; part++) {
			const base64 = bytes.subarray(part * FILE_PART_BYTES, (part + 1) * FILE_PART_BYTES).toString("base64");
			const kept = await send({ id, name, size: bytes.length, part, parts, base64 });
			// All of it is there from an earlier try.
			if (kept === undefined) continue;
			there.push(kept);
			break;
		}
	}
	return there;
}
