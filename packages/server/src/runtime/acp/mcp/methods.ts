import * as z from "zod/mini";
import type { AgentTool } from "../../../core/ports/agent-tool.ts";

/** JSON-RPC's codes. */
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;

/** The versions of MCP that mean the same for tools; the newest that most clients know is the one for those that ask for another. */
const VERSIONS = ["2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"];

const initializeSchema = z.object({ protocolVersion: z.string() });

/** The result of every method that needs nothing but the list of tools; undefined: there is no such method. */
export function answerMethod(method: string, params: unknown, tools: readonly AgentTool[]): object | undefined {
	switch (method) {
		case "initialize": {
			const asked = initializeSchema.safeParse(params);
			const protocolVersion = VERSIONS.find((version) => asked.success && version === asked.data.protocolVersion) ?? VERSIONS[0];
			return { protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "rightseat", title: "Rightseat", version: "1" } };
		}
		case "ping":
			return {};
		case "tools/list":
			return { tools: tools.map(describeTool) };
		default:
			return undefined;
	}
}

const describeTool = ({ name, description, parameters }: AgentTool) => ({
	name,
	description,
	inputSchema: parameters,
	// Without it Claude Code hides the tool behind a search, and the model takes its own shell.
	_meta: { "anthropic/alwaysLoad": true },
});
