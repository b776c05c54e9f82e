import type { CopilotSession, MCPServerConfig, SessionConfigBase } from "@github/copilot-sdk";
import type { McpServer } from "@rightseat/protocol/http/mcp-servers";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { SessionServer } from "../../../core/ports/agent-setup.ts";

/** What the runtime offers about the MCP servers of a session. Each call waits until all of them have started or failed: none is awaited without a limit. */
export type ServersRpc = Pick<
	CopilotSession["rpc"]["mcp"],
	"list" | "listTools" | "enable" | "disable" | "restartServer" | "moveLoadingToBackground" | "oauth"
>;
/** The session of the runtime that has the servers. */
export interface ServersHost {
	readonly sdk: { readonly rpc: { readonly mcp: ServersRpc } };
	readonly gone: AbortSignal;
}

const RPC_LIMIT_MS = 5_000;

/** An answer of the runtime, or an error when it does not come. */
export function limitedRpc<T>(
	work: Promise<T>,
	{ clock, gone, ms = RPC_LIMIT_MS }: { clock: Clock; gone: AbortSignal; ms?: number },
): Promise<T> {
	return withTimeout(work, { clock, ms, late: noAnswer, gone });
}
const noAnswer = () => new AppError("session-failed", "The Copilot runtime did not answer in time.", { params: { reason: "timed-out" } });

/** The part of a session's configuration that names MCP servers. One that is off is named too: it can be switched on while the session is open. */
export function toSdkServers(servers: readonly SessionServer[]): Required<Pick<SessionConfigBase, "mcpServers" | "disabledMcpServers">> {
	return {
		mcpServers: Object.fromEntries(servers.map(({ name, server }) => [name, toSdkServer(server)])),
		disabledMcpServers: servers.flatMap(({ name, enabled }) => (enabled ? [] : [name])),
	};
}

export function toSdkServer(server: McpServer): MCPServerConfig {
	if ("command" in server) return { type: "stdio", command: server.command, args: server.args, env: server.env, tools: ["*"] };
	return { type: server.type, url: server.url, headers: server.headers, tools: ["*"] };
}
