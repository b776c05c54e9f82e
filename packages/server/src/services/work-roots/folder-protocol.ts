import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { McpServer } from "@rightseat/protocol/http/mcp-servers";
import {
	type Check,
	hasShape,
	isFlag,
	isNumber,
	isOneOf,
	isText,
	listOf,
	oneOf,
	optional,
	orNull,
	recordOf,
	type Shape,
	type Shapes,
} from "@rightseat/protocol/message-shape";
import { fieldOf } from "@rightseat/protocol/model/field";
import { SETUP_KINDS, SETUP_PROBLEMS } from "@rightseat/protocol/model/folder-setup";
import type { FileBytes, FolderEntries, FolderEntry, FolderLook, FolderMcpServer, FolderSetup, GitHead } from "../../core/ports/folders.ts";
import type { Program } from "../../core/ports/programs.ts";
import type { View } from "./read-files.ts";

/**
 * What the server asks its folder process, and what that answers. Both are ours and of one build; a message that is
 * none of these is dropped.
 */
export type FolderAsk =
	| { kind: "look"; path: string }
	| { kind: "children"; path: string }
	| { kind: "git"; path: string }
	| { kind: "programs"; path: string; names: readonly string[] }
	| { kind: "find"; path: string; query: string }
	| { kind: "entries"; path: string; view: View }
	| { kind: "bytes"; path: string; view: View }
	| { kind: "setup"; path: string; hidden: readonly string[] }
	| { kind: "mcp"; path: string; hidden: readonly string[] };
export interface FolderRequest {
	id: number;
	ask: FolderAsk;
}

export type FolderAnswer =
	| { kind: "look"; found: FolderLook | null }
	| { kind: "names"; names: string[] }
	| { kind: "git"; git: GitHead | null }
	| { kind: "programs"; programs: Program[] }
	| ({ kind: "entries" } & FolderEntries)
	| ({ kind: "bytes" } & FileBytes)
	| ({ kind: "setup" } & FolderSetup)
	| { kind: "mcp"; servers: FolderMcpServer[] }
	| { kind: "refused"; because: string }
	/** The system's own word for what is wrong, such as EACCES. */
	| { kind: "failed"; code: string };

export interface FolderReply {
	id: number;
	answer: FolderAnswer;
	/** Looks that were begun in this process and never came back. */
	stuck: number;
}

export const isFolderRequest = (message: unknown): message is FolderRequest =>
	hasShape<FolderRequest>(message, { id: isNumber, ask: (ask) => isOneOf<FolderAsk>(ask, ASK) });
export const isFolderReply = (message: unknown): message is FolderReply =>
	hasShape<FolderReply>(message, { id: isNumber, answer: (answer) => isOneOf<FolderAnswer>(answer, ANSWER), stuck: isNumber });

const VIEW: Shape<View> = { within: listOf(isText), hidden: listOf(isText) };
const ASK: Shapes<FolderAsk> = {
	look: { path: isText },
	children: { path: isText },
	git: { path: isText },
	programs: { path: isText, names: listOf(isText) },
	find: { path: isText, query: isText },
	entries: { path: isText, view: (value) => hasShape(value, VIEW) },
	bytes: { path: isText, view: (value) => hasShape(value, VIEW) },
	setup: { path: isText, hidden: listOf(isText) },
	mcp: { path: isText, hidden: listOf(isText) },
};
const LOOK: Shape<FolderLook> = { realPath: isText, isDirectory: isFlag };
const HEAD: Shape<GitHead> = { root: isText, branch: orNull(isText), head: orNull(isText), detached: isFlag };
const ENTRY: Shape<FolderEntry> = { name: isText, size: optional(isNumber) };
const isEntry: Check = (value) => hasShape(value, ENTRY) && oneOf("folder", "file", "link", "other")(fieldOf(value, "kind"));
const PROGRAM: Shape<Program> = { name: isText, path: isText, version: orNull(isText) };
const ITEM: Shape<FolderSetupItem> = {
	name: isText,
	source: isText,
	runs: optional(isText),
	env: optional(listOf(isText)),
	problem: optional(oneOf(...SETUP_PROBLEMS)),
};
const isItem: Check = (value) => hasShape(value, ITEM) && oneOf(...SETUP_KINDS)(fieldOf(value, "kind"));
const PROGRAM_SERVER: Shape<Extract<McpServer, { command: string }>> = {
	type: optional(isText),
	command: isText,
	args: listOf(isText),
	env: recordOf(isText),
};
const REMOTE_SERVER: Shape<Extract<McpServer, { url: string }>> = { type: isText, url: isText, headers: recordOf(isText) };
const isServer: Check = (value) =>
	isText(fieldOf(value, "name")) &&
	isText(fieldOf(value, "source")) &&
	optional(oneOf(...SETUP_PROBLEMS))(fieldOf(value, "problem")) &&
	optional((server) => hasShape(server, PROGRAM_SERVER) || hasShape(server, REMOTE_SERVER))(fieldOf(value, "server"));
const ANSWER: Shapes<FolderAnswer> = {
	look: { found: orNull((value) => hasShape(value, LOOK)) },
	names: { names: listOf(isText) },
	git: { git: orNull((value) => hasShape(value, HEAD)) },
	programs: { programs: listOf((value) => hasShape(value, PROGRAM)) },
	entries: { realPath: isText, more: isFlag, entries: listOf(isEntry) },
	bytes: { realPath: isText, base64: isText, size: isNumber, more: isFlag },
	setup: { found: listOf(isItem), more: isFlag },
	mcp: { servers: listOf(isServer) },
	refused: { because: isText },
	failed: { code: isText },
};
