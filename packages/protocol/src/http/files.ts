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

/** Which folder, relative to the working directory or absolute; without one the working directory. */
export const treeQuery = z.object({ path: z._default(z.string().check(z.maxLength(4096)), ".") });
/** What is directly in a folder: folders first. */
export const treeAnswer = z.object({
	/** Absolute. */
	path: z.string(),
	entries: z.array(z.object({ name: z.string(), kind: z.enum(["folder", "file", "link", "other"]), size: z.optional(z.number()) })),
	/** There are more than these. */
	more: z.boolean(),
});
/** What is in a folder. */
export type FolderTree = z.infer<typeof treeAnswer>;
/** Which file, relative to the working directory or absolute; `download` names it in the answer. */
export const fileQuery = z.object({ path: z.string().check(z.minLength(1), z.maxLength(4096)) });
