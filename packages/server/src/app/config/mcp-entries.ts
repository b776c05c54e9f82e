import { MAX_MCP_SERVERS, type McpServer, mcpServersInFile } from "@rightseat/protocol/http/mcp-servers";
import { BadValue, type ValueType } from "./config-values.ts";

const MAX_TEXT = 1_048_576;
const EXAMPLE = '{"notes": {"command": "npx", "args": ["notes-mcp"]}}';

/** MCP servers by name, in the usual shape. What it holds is never quoted in a complaint: it may be a key. */
export const mcpEntries: ValueType<Record<string, McpServer>> = {
	kind: "JSON object",
	json: true,
	parse(text) {
		if (text.length > MAX_TEXT) throw new BadValue(`must be at most ${MAX_TEXT} characters long`);
		const parsed = mcpServersInFile.safeParse(parseJson(text));
		if (parsed.success) return parsed.data;
		const [issue] = parsed.error.issues;
		const where = issue === undefined || issue.path.length === 0 ? "" : ` (look at ${issue.path.slice(0, 2).map(String).join(".")})`;
		throw new BadValue(`must name at most ${MAX_MCP_SERVERS} MCP servers, like ${EXAMPLE}${where}`);
	},
};

function parseJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value;
	} catch {
		// The parser's own message quotes the text around the mistake, which may be a key.
		throw new BadValue(`is not valid JSON: it must be an object, like ${EXAMPLE}`);
	}
}
