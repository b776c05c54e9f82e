import type { GitHead } from "../../core/ports/folders.ts";

/**
 * What the server asks its folder process, and what that answers. Both are ours and of one build, so messages are told apart by
 * their shape only; nothing from outside arrives here unchecked.
 */
export type FolderAsk = { kind: "look" | "children" | "git"; path: string } | { kind: "find"; path: string; query: string };
export interface FolderRequest {
	id: number;
	ask: FolderAsk;
}

export type FolderAnswer =
	| { kind: "look"; found: { realPath: string; isDirectory: boolean } | null }
	| { kind: "names"; names: string[] }
	| { kind: "git"; git: GitHead | null }
	/** The system's own word for what is wrong, such as EACCES. */
	| { kind: "failed"; code: string };

export interface FolderReply {
	id: number;
	answer: FolderAnswer;
	/** Looks that were begun in this process and never came back. */
	stuck: number;
}

export const isFolderRequest = (message: unknown): message is FolderRequest => has(message, "ask");
export const isFolderReply = (message: unknown): message is FolderReply => has(message, "answer");

function has(message: unknown, key: string): boolean {
	return typeof message === "object" && message !== null && "id" in message && key in message;
}
