import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import { limitedRpc, type ServersHost } from "./sdk-servers.ts";
import type { ServerStates } from "./server-states.ts";
import { listTools } from "./tool-lists.ts";

/** How often a server that ends while it is used is started again in one session. */
const MAX_RESTARTS = 3;

/** Looks after servers that have started: what tools they have, and whether they are still there. */
export interface ConnectedServers {
	/** The runtime takes a server that has ended for connected and never starts it again. */
	restartDead(host: ServersHost): Promise<void>;
	/** Asks those whose tools are not known. Those that have more than a model can be given, with the reason. */
	learnTools(host: ServersHost): Promise<Map<string, string>>;
	tools(name: string): string[];
	/** Its tools may be others by now. */
	changed(name: string): void;
	/** A person wants it again. */
	forgive(name: string): void;
	reset(): void;
}

export function createConnectedServers(deps: { clock: Clock; logger: Logger; states: ServerStates }): ConnectedServers {
	const { clock, logger, states } = deps;
	const tools = new Map<string, string[]>();
	const restarts = new Map<string, number>();

	async function restart({ sdk, gone }: ServersHost, name: string) {
		const count = (restarts.get(name) ?? 0) + 1;
		restarts.set(name, count);
		tools.delete(name);
		if (count > MAX_RESTARTS) {
			return states.leaveOut(name, "It ended again and again while it was used. Switch it off and on to try it again.");
		}
		return limitedRpc(sdk.rpc.mcp.restartServer({ serverName: name }), { clock, gone }).catch((error: unknown) =>
			logger.debug({ err: String(error), server: name }, "An MCP server was not started again"),
		);
	}

	return {
		async restartDead(host) {
			for (const name of states.dead()) await restart(host, name);
		},
		async learnTools({ sdk }) {
			const floods = new Map<string, string>();
			for (const name of states.connected().filter((each) => !tools.has(each))) {
				const list = await listTools(sdk.rpc.mcp, name, clock);
				if (list.kind === "tools") tools.set(name, list.names);
				if (list.kind === "flood") floods.set(name, list.error);
			}
			return floods;
		},
		tools: (name) => tools.get(name) ?? [],
		changed: (name) => void tools.delete(name),
		forgive: (name) => void restarts.delete(name),
		reset: () => tools.clear(),
	};
}
