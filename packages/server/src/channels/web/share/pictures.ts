import { readFile } from "node:fs/promises";
import type { Attachment } from "@rightseat/protocol/model/message";
import type { Attachments } from "../../../services/attachments/attachments.ts";
import { INLINE_IMAGE_TYPES } from "../../../services/attachments/sniff-type.ts";

/** Of one picture in a shared file; a larger one is named only. */
export const MAX_PICTURE_BYTES = 2 * 1024 * 1024;
/** Of all pictures in a shared file. */
export const MAX_PICTURES_BYTES = 16 * 1024 * 1024;

/** Attached pictures for one file, as addresses that hold them; undefined: too large, no picture, or gone. */
export function createPictures(attachments: Pick<Attachments, "get">): (attachment: Attachment) => Promise<string | undefined> {
	let left = MAX_PICTURES_BYTES;
	return async ({ id }) => {
		try {
			// Its type and size as we found them, not as a message tells them.
			const { path, mimeType, size } = attachments.get(id);
			if (!INLINE_IMAGE_TYPES.has(mimeType) || size > MAX_PICTURE_BYTES || size > left) return undefined;
			left -= size;
			return `data:${mimeType};base64,${(await readFile(path)).toString("base64")}`;
		} catch {
			// The file is gone: its name stays.
			return undefined;
		}
	};
}
