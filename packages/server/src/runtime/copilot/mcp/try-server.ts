import { randomUUID } from "node:crypto";
import type { CopilotClient } from "@github/copilot-sdk";
import type { McpTestAnswer } from "@rightseat/protocol/http/mcp-servers";
import type { Clock } from "../../../core/kernel/clock.ts";
import { AppError } from "../../../core/kernel/errors.ts";
import { withTimeout } from "../../../core/kernel/with-timeout.ts";
import type { TryServer } from "../../../core/ports/agent-setup.ts";
import type { Lease } from "../process/running-client.ts";
import { toSdkServer } from "./sdk-servers.ts";
import { createServerStates, type ServerStates } from "./server-states.ts";
import { startServers } from "./start-servers.ts";
import { listTools } from "./tool-lists.ts";

/** A server that is fetched before it starts takes a while. */
export const TRY_LIMIT_MS = 30_000;
const RPC_LIMIT_MS = 10_000;
/** Servers that are tried at once. */
const MAX_TRIALS = 4;
const NAME = "server";

/** Tries a server in a session of its own that no prompt is ever sent to, and that is deleted afterwards. */
export function createTryServer(deps: { clock: Clock; lease(): Promise<Pick<Lease<CopilotClient>, "client" | "gone">> }): TryServer {
	const { clock } = deps;
	let running = 0;
	return async (server, cwd) => {
		if (running >= MAX_TRIALS) throw tooMany();
		running += 1;
		try {
			const { client, gone } = await deps.lease();
			const limited = <T>(work: Promise<T>, ms = RPC_LIMIT_MS) => withTimeout(work, { clock, ms, late: noAnswer, gone });
			const sessionId = `mcp-trial-${randomUUID()}`;
			const config = {
				sessionId,
				workingDirectory: cwd,
				enableConfigDiscovery: false,
				enableFileHooks: false,
				enableSessionTelemetry: false,
			};
			const session = await limited(client.createSession({ ...config, mcpServers: { [NAME]: toSdkServer(server) } }));
			const states = createServerStates();
			states.reset([{ name: NAME, enabled: true, server }]);
			session.on(states.handle);
			try {
				// An event that came before anybody listened is in the list.
				await limited(startServers(session.rpc.mcp, states, gone), TRY_LIMIT_MS).catch(() => undefined);
				return await answerOf(states, () => listTools(session.rpc.mcp, NAME, clock));
			} finally {
				await limited(session.disconnect()).catch(() => undefined);
				await limited(client.deleteSession(sessionId)).catch(() => undefined);
			}
		} finally {
			running -= 1;
		}
	};
}

async function answerOf(states: ServerStates, tools: () => ReturnType<typeof listTools>): Promise<McpTestAnswer> {
	const state = states.find(NAME);
	if (state === "needs-auth") return { state, tools: [] };
	if (state !== "connected") {
		return { state: "failed", tools: [], error: states.error(NAME) ?? `It did not answer within ${TRY_LIMIT_MS / 1000} s.` };
	}
	const list = await tools();
	if (list.kind === "flood") return { state: "failed", tools: [], error: list.error };
	return { state: "connected", tools: list.kind === "tools" ? list.names : [] };
}

const noAnswer = () => new AppError("session-failed", "The Copilot runtime did not answer in time.", { params: { reason: "timed-out" } });
const tooMany = () =>
	new AppError("rate-limited", `At most ${MAX_TRIALS} MCP servers are tried at once. Wait a moment and try again.`, {
		retryable: true,
		params: { reason: "mcp-trials", max: MAX_TRIALS },
	});
