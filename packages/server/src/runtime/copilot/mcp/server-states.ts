import type { SessionEvent } from "@github/copilot-sdk";
import { cutText } from "@rightseat/protocol/text";
import type { SessionServer, SessionServerState } from "../../../core/ports/agent-setup.ts";

/** What is told of the reason why a server failed; it may be whatever the server wrote. */
const MAX_SERVER_ERROR_CHARS = 1_000;
/** Calls of tools whose server is remembered until they end. */
const MAX_OPEN_CALLS = 1_000;

const ENDED = "It ended while it was used. It is started again with the next prompt.";

/** How the MCP servers of one session are, by what the runtime tells. */
export interface ServerStates {
	handle(event: SessionEvent): void;
	/** What the runtime says of all of them when it is asked: an event about one that it knows from another session may never come. */
	listed(servers: readonly { name: string; status: string; error?: string | undefined }[]): void;
	/** A session has been opened with these. */
	reset(servers: readonly SessionServer[]): void;
	/** It is not used until the session is opened anew. */
	leaveOut(name: string, error: string): void;
	find(name: string): SessionServerState["state"] | undefined;
	error(name: string): string | undefined;
	/** Those that are being started. */
	starting(): string[];
	connected(): string[];
	/** Those that ended while they were used; the runtime still takes them for connected. */
	dead(): string[];
	/** Listeners hear of every change; the result unsubscribes. */
	onChange(listener: (name: string) => void): () => void;
}

interface Known {
	state: SessionServerState["state"];
	error?: string | undefined;
	isDead?: boolean;
	/** Told by the runtime, not only meant by us. */
	isStarting?: boolean;
}

export function createServerStates(): ServerStates {
	const known = new Map<string, Known>();
	const calls = new Map<string, string>();
	const listeners = new Set<(name: string) => void>();

	function put(name: string, next: Known) {
		// Whatever else the runtime tells of is not ours: its own servers are off.
		if (!known.has(name)) return;
		known.set(name, next);
		for (const listener of listeners) listener(name);
	}

	function told(name: string, status: string, error: string | undefined) {
		if (status === "pending") return put(name, { state: "pending", isStarting: true });
		if (status === "connected" || status === "needs-auth" || status === "disabled") return put(name, { state: status });
		if (status === "failed") return put(name, { state: "failed", error: cutText(error ?? "It did not start.", MAX_SERVER_ERROR_CHARS) });
		return undefined;
	}

	/** Only of those that are being started: one that has ended while it was used the runtime still takes for connected. */
	function listed(servers: Parameters<ServerStates["listed"]>[0]) {
		for (const { name, status, error } of servers) {
			const is = known.get(name);
			// That it still is being started is nothing new, and nobody is told.
			if (is?.state === "pending" && !(status === "pending" && is.isStarting)) told(name, status, error);
		}
	}

	function callEnded(toolCallId: string, message: string | undefined) {
		const name = calls.get(toolCallId);
		calls.delete(toolCallId);
		if (name === undefined || message === undefined || !/transport closed|connection closed/i.test(message)) return;
		if (known.get(name)?.state === "connected") put(name, { state: "failed", error: ENDED, isDead: true });
	}

	const where = (holds: (server: Known) => boolean | undefined) =>
		[...known].flatMap(([name, server]) => (holds(server) === true ? [name] : []));

	return {
		handle(event) {
			switch (event.type) {
				case "session.mcp_server_status_changed":
					return told(event.data.serverName, event.data.status, event.data.error);
				case "session.mcp_servers_loaded":
					return listed(event.data.servers);
				case "tool.execution_start":
					if (event.data.mcpServerName !== undefined && calls.size < MAX_OPEN_CALLS)
						calls.set(event.data.toolCallId, event.data.mcpConfigServerName ?? event.data.mcpServerName);
					return undefined;
				case "tool.execution_complete":
					return callEnded(event.data.toolCallId, event.data.error?.message);
				default:
					return undefined;
			}
		},
		listed,
		reset(servers) {
			known.clear();
			calls.clear();
			for (const { name, enabled } of servers) known.set(name, { state: enabled ? "pending" : "disabled" });
		},
		leaveOut(name, error) {
			known.set(name, { state: "failed", error });
			for (const listener of listeners) listener(name);
		},
		find: (name) => known.get(name)?.state,
		error: (name) => known.get(name)?.error,
		starting: () => where(({ state, isStarting }) => state === "pending" && isStarting),
		connected: () => where(({ state }) => state === "connected"),
		dead: () => where(({ isDead }) => isDead),
		onChange(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
	};
}
