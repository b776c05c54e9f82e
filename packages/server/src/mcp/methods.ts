import * as z from "zod/mini";

/** JSON-RPC's codes. */
export const METHOD_NOT_FOUND = -32_601;
export const INVALID_PARAMS = -32_602;

/** The versions of MCP that mean the same for tools; the newest that most clients know is the one for those that ask for another. */
const VERSIONS = ["2025-06-18", "2025-11-25", "2025-03-26", "2024-11-05"];

/** A tool as a client lists it. */
export interface ListedTool {
	readonly name: string;
	readonly description: string;
	/** JSON schema of the arguments, for the model. */
	readonly parameters: Record<string, unknown>;
	/** What a client may show about it before it is called. */
	readonly annotations?: Record<string, unknown>;
}

/** Whether a client that names this version in the header of a request can be answered. */
export const isKnownVersion = (version: string): boolean => VERSIONS.includes(version);

const initializeSchema = z.object({ protocolVersion: z.string() });

/** The result of every method that needs nothing but the list of tools; undefined: there is no such method. */
export function answerMethod(
	{ method, params }: { method: string; params: unknown },
	{ tools, instructions }: { tools: readonly ListedTool[]; instructions?: string },
): object | undefined {
	switch (method) {
		case "initialize": {
			const asked = initializeSchema.safeParse(params);
			const protocolVersion = VERSIONS.find((version) => asked.success && version === asked.data.protocolVersion) ?? VERSIONS[0];
			const serverInfo = { name: "rightseat", title: "Rightseat", version: "1" };
			return { protocolVersion, capabilities: { tools: {} }, serverInfo, ...(instructions === undefined ? {} : { instructions }) };
		}
		case "ping":
			return {};
		case "tools/list":
			return { tools: tools.map(describeTool) };
		default:
			return undefined;
	}
}

const describeTool = ({ name, description, parameters, annotations }: ListedTool) => ({
	name,
	description,
	inputSchema: parameters,
	...(annotations === undefined ? {} : { annotations }),
	// Without it Claude Code hides the tool behind a search, and the model takes its own shell.
	_meta: { "anthropic/alwaysLoad": true },
});
