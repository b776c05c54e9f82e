import * as z from "zod/mini";
import { attachmentSchema } from "../model/message.ts";

/** What the routes about files and directories answer. */

/** An uploaded file, under the id that a prompt names. */
export const attachmentAnswer = z.object({ attachment: attachmentSchema });
/** Paths within a conversation's directory that match. */
export const filesAnswer = z.object({ files: z.array(z.string()) });
/** A directory within the roots with the directories in it, and the ones used lately. */
export const directoriesAnswer = z.object({
	path: z.string(),
	/** Absent at the top of what may be seen. */
	parent: z.optional(z.string()),
	directories: z.array(z.object({ name: z.string(), path: z.string() })),
	roots: z.array(z.string()),
	/** Of the newest conversations. */
	recent: z.array(z.string()),
});
