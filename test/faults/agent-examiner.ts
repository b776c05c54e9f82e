import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { TWO_AT_ONCE } from "../support/acp-agent/sessions.mjs";
import { allProcesses, descendants, isOfKind } from "./processes.ts";

/** What agents over ACP left behind: no process that the server does not know, and no session that two of them had open. */
export function examineAgents(world: { server: { pid: number }; agentHome: string }): string[] {
	const ours = new Set(descendants(world.server.pid).map(({ pid }) => pid));
	const strays = allProcesses().filter(({ pid, args }) => isOfKind("agent", args) && args.includes(world.agentHome) && !ours.has(pid));
	const shared = join(world.agentHome, TWO_AT_ONCE);
	return [
		...strays.map(({ pid }) => `The agent process ${pid} outlived its server.`),
		...(existsSync(shared) ? [`Two agent processes had one session open: ${readFileSync(shared, "utf8").trim()}`] : []),
	];
}
