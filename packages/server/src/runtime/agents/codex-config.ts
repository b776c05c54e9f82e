/**
 * What Codex is started with besides a person's own `CODEX_CONFIG`: no shell of its own, whose sandbox lets no write through in the mode in which it
 * asks, and the conversation's shell among the tools that its model sees without a search.
 */
export function codexConfig(given: string | undefined): string {
	const theirs = parse(given);
	const features = recordOf(theirs.features);
	const host = recordOf(features.code_mode);
	const direct = Array.isArray(host.direct_only_tool_namespaces) ? host.direct_only_tool_namespaces : [];
	return JSON.stringify({
		...theirs,
		features: {
			...features,
			shell_tool: false,
			unified_exec: false,
			code_mode: { enabled: false, ...host, direct_only_tool_namespaces: [...new Set([...direct, OUR_NAMESPACE])] },
		},
	});
}

/** What Codex calls the tools of our MCP server. */
const OUR_NAMESPACE = "mcp__rightseat";

function parse(given: string | undefined): Record<string, unknown> {
	try {
		const value: unknown = JSON.parse(given ?? "{}");
		return recordOf(value);
	} catch {
		// Codex would refuse it; without it it starts.
		return {};
	}
}

const recordOf = (value: unknown): Record<string, unknown> =>
	typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
