import type { AgentRuntime } from "../core/ports/agent-runtime.ts";
import type { Lifecycle } from "../core/ports/lifecycle.ts";
import type { AcpRuntimeDeps } from "../runtime/acp/create-acp-runtime.ts";
import type { ToolServer } from "../runtime/acp/mcp/tool-server.ts";
import type { AgentDefinition } from "../runtime/agents/agent-definition.ts";
import { killLeftAgents } from "../runtime/leftovers.ts";
import type { Markers } from "../runtime/markers.ts";

type Deps = Omit<AcpRuntimeDeps, "definition" | "toolServer" | "limits"> & { home: string; markers: Markers };

/** What drives agents over ACP: loaded by the first session of one, with one server of our tools for all of them. */
export interface AcpRuntimes extends Lifecycle {
	load(definition: AgentDefinition): Promise<AgentRuntime>;
}

export function createAcpRuntimes(deps: Deps): AcpRuntimes {
	let toolServer: ToolServer | undefined;
	let left: Promise<unknown> | undefined;
	/** Agents of a server that was killed work on, and two of them on one session answer for ever. */
	function endLeftAgents(): Promise<unknown> {
		left ??= killLeftAgents(deps.home, deps.markers.run, deps.clock);
		return left;
	}
	return {
		async start() {
			// A start does not wait for it; the first session does.
			void endLeftAgents();
		},
		async load(definition) {
			const [{ createAcpRuntime }, { createToolServer }] = await Promise.all([
				import("../runtime/acp/create-acp-runtime.ts"),
				import("../runtime/acp/mcp/create-tool-server.ts"),
				endLeftAgents(),
			]);
			toolServer ??= createToolServer(deps);
			return createAcpRuntime({ ...deps, definition, toolServer });
		},
		async close() {
			await toolServer?.close();
		},
	};
}
