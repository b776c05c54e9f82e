import type { FolderSetupItem } from "@rightseat/protocol/http/folders";
import type { McpServer, McpTestAnswer } from "@rightseat/protocol/http/mcp-servers";
import type { McpLogin, McpServerState, SetupItem } from "@rightseat/protocol/http/setup";

/** What agents are given in a folder: the person's own MCP servers and what the folder brings. */
export interface AgentSetups {
	/** Every MCP server that is known there, each name once; a person's own one comes before one of the folder. */
	servers(cwd: string): Promise<OfferedServer[]>;
	/** What the folder brings, and whether a person trusts it. Reads and runs nothing. */
	look(cwd: string): Promise<{ trusted: boolean; found: FolderSetupItem[] }>;
}

/** An MCP server that a conversation can have. */
export interface OfferedServer {
	name: string;
	/** `settings`, `config.json`, or the file of the folder. */
	source: string;
	/** False: it is of a folder that nobody trusts. */
	isAllowed: boolean;
	/** With its secrets; undefined: it cannot be started, `problem` says why. */
	server: McpServer | undefined;
	problem?: string;
	/** Where others of this name stand, which are not used because of this one. */
	hides?: string[];
}

/** An MCP server that a session shall have. */
export interface SessionServer {
	name: string;
	enabled: boolean;
	server: McpServer;
}

/** How an MCP server of a session is. */
export type SessionServerState = Pick<McpServerState, "state" | "tools" | "error" | "waiting">;

/** What a session has been given. */
export interface SessionSetup {
	/** By name. */
	mcp: ReadonlyMap<string, SessionServerState>;
	/** Absent: the agent did not say. */
	skills?: SetupItem[];
	agents?: SetupItem[];
	instructions?: SetupItem[];
}

/** What can be seen and changed of an open session's set-up. */
export interface OpenSetup {
	/** Never waits for a server. */
	look(): Promise<SessionSetup>;
	/** Switches an MCP server on or off, now or, where that is not possible, with the next prompt. Never rejects. */
	setServer(name: string, enabled: boolean): Promise<void>;
	/** A prompt that waits for MCP servers waits no longer. */
	goOn(): void;
	/** Begins to sign in to an MCP server. Rejects with an AppError. */
	login(name: string): Promise<McpLogin>;
	/**
	 * Ends it with the address on which the browser ended, which must be the one that this login waits on. Resolves with how the server is then.
	 * Rejects with an AppError.
	 */
	finishLogin(name: string, address: string): Promise<McpServerState["state"]>;
}

/** Starts one MCP server, asks for its tools and ends it; bounded in time. Rejects with an AppError when it could not even be tried. */
export type TryServer = (server: McpServer, cwd: string, signal?: AbortSignal) => Promise<McpTestAnswer>;
