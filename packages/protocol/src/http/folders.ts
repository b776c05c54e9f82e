import * as z from "zod/mini";
import { SETUP_KINDS, SETUP_PROBLEMS } from "../model/folder-setup.ts";
import { DONE, type HttpRoute, ok } from "./route.ts";

const path = z.string().check(z.minLength(1), z.maxLength(4096));

/** Something that a folder brings for an agent. */
export const folderSetupItem = z.object({
	kind: z.enum(SETUP_KINDS),
	name: z.string(),
	/** The file, relative to the folder. */
	source: z.string(),
	/** The command line or address that is started once the folder is trusted. */
	runs: z.optional(z.string()),
	/** Names of the environment variables that are set for it. */
	env: z.optional(z.array(z.string())),
	problem: z.optional(z.enum(SETUP_PROBLEMS)),
});
/** Something that a folder brings for an agent. */
export type FolderSetupItem = z.infer<typeof folderSetupItem>;

/** Another host of the fleet, whose folder it is. */
const host = z.optional(z.string().check(z.maxLength(40)));
/** Which folder. */
export const folderSetupQuery = z.object({ path, host });
/** What a folder brings, and whether a person trusts it. */
export const folderSetupAnswer = z.object({
	/** Absolute, without links. */
	path: z.string(),
	trusted: z.boolean(),
	found: z.array(folderSetupItem),
	/** There is more than this. */
	more: z.optional(z.literal(true)),
});
/** What a folder brings, and whether a person trusts it. */
export type FolderSetupAnswer = z.infer<typeof folderSetupAnswer>;
/** What a person says about a folder and all below it. */
export const folderTrustBody = z.object({ path, trusted: z.boolean(), host });
/** Whose words. */
export const folderTrustQuery = z.object({ host });
/** What people said about folders; the nearest above a folder counts for it. */
export const folderTrustList = z.object({ folders: z.array(z.object({ path: z.string(), trusted: z.boolean() })) });
/** What people said about folders. */
export type FolderTrustList = z.infer<typeof folderTrustList>;

/** Routes about what folders bring for agents. */
export const folderRoutes: HttpRoute[] = [
	{
		method: "GET",
		path: "/api/folders/setup",
		about: "What a folder brings for agents, and what of it would run.",
		query: folderSetupQuery,
		answers: ok(folderSetupAnswer),
	},
	{
		method: "GET",
		path: "/api/folders/trust",
		about: "What people said about folders, by path.",
		query: folderTrustQuery,
		answers: ok(folderTrustList),
	},
	{
		method: "PUT",
		path: "/api/folders/trust",
		about: "Trust a folder and all below it, or take that back.",
		body: folderTrustBody,
		answers: DONE,
	},
];
