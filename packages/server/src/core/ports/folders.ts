import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { McpServer } from "@rightseat/protocol/http/mcp-servers";

/**
 * Looks at the folders that people work in. Such a folder may lie on a mount that never answers, and a look at it would then stop
 * the whole server, or for ever take one of the few threads that all file access shares; so it is never done in the server's own
 * process. Every call rejects with `folder-not-answering` when no answer comes in time.
 */
export interface Folders {
	/** Undefined when nothing is there that we may see. */
	look(path: string): Promise<FolderLook | undefined>;
	/** Names of the directories directly below, in order, bounded. Rejects with `forbidden` when it cannot be read. */
	children(path: string): Promise<string[]>;
	/** Paths of files below, relative to it, that fit a few letters; best first, bounded. */
	find(path: string, query: string): Promise<string[]>;
	/** What is directly in a folder. Rejects with `forbidden` outside of `within` (real paths) and with `not-found`. */
	entries(path: string, within: readonly string[]): Promise<FolderEntries>;
	/** The beginning of a regular file, as far as a person can look at it; likewise. */
	bytes(path: string, within: readonly string[]): Promise<FileBytes>;
	/** The repository that the folder lies in; undefined outside of any. */
	git(path: string): Promise<GitHead | undefined>;
	/** What the folder, and the repository around it, bring for an agent, bounded; nothing of it is run. */
	setup(path: string): Promise<FolderSetup>;
	/** The MCP servers among them, with their secrets, each name once, bounded. Whether they may be started is not asked here. */
	mcpServers(path: string): Promise<FolderMcpServer[]>;
}

/** An MCP server of a folder, as it is started; `problem`: it cannot be. */
export type FolderMcpServer = { name: string; source: string } & (
	| { server: McpServer; problem?: undefined }
	| { server?: undefined; problem: NonNullable<FolderSetupItem["problem"]> }
);

/** What a folder brings for an agent. `more`: there is more than this. */
export interface FolderSetup {
	found: FolderSetupItem[];
	more: boolean;
}

/** Where a repository stands. `branch` is null when the head is detached or cannot be read, `head` also before the first commit. */
export interface GitHead {
	root: string;
	branch: string | null;
	head: string | null;
	detached: boolean;
}

/** What a look at a path found, links resolved. */
export interface FolderLook {
	realPath: string;
	isDirectory: boolean;
}

/** Something in a folder. */
export interface FolderEntry {
	name: string;
	kind: "folder" | "file" | "link" | "other";
	/** Of a file. */
	size?: number;
}
export interface FolderEntries {
	realPath: string;
	entries: FolderEntry[];
	/** There are more than these. */
	more: boolean;
}
export interface FileBytes {
	realPath: string;
	base64: string;
	/** Of the whole file. */
	size: number;
	/** Only the beginning is here. */
	more: boolean;
}
