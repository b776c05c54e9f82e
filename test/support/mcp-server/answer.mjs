const VERSION = "2025-06-18";
const echo = { name: "echo", description: "Says it again.", inputSchema: { type: "object", properties: { text: { type: "string" } } } };
const look = { ...echo, name: "look", description: "Only looks.", annotations: { readOnlyHint: true } };

/**
 * What the server answers to one message; undefined: nothing.
 * @param {{ id?: unknown, method?: string, params?: any }} message
 * @param {string} [manner]
 */
export function answerTo({ id, method, params }, manner = "plain") {
	if (id === undefined) return undefined;
	const result = resultOf(method, params ?? {}, manner);
	if (result !== undefined) return { jsonrpc: "2.0", id, result };
	return { jsonrpc: "2.0", id, error: { code: -32601, message: "Method not found" } };
}

/** @param {string | undefined} method @param {any} params @param {string} manner */
function resultOf(method, params, manner) {
	switch (method) {
		case "initialize":
			return {
				protocolVersion: params.protocolVersion ?? VERSION,
				capabilities: { tools: {} },
				serverInfo: { name: "fixture", version: "1" },
			};
		case "ping":
			return {};
		case "tools/list":
			return { tools: toolsOf(manner) };
		case "tools/call":
			return callOf(params, manner);
		default:
			return undefined;
	}
}

/** @param {string} manner */
function toolsOf(manner) {
	if (manner !== "flood") return [echo, look];
	return Array.from({ length: 3_000 }, (_, n) => ({ ...echo, name: `tool${n}-${"x".repeat(40)}`, description: "y".repeat(2_000) }));
}

/** @param {{ name?: string, arguments?: { text?: string } }} params @param {string} manner */
function callOf({ name, arguments: args }, manner) {
	if (manner === "flood" || manner === "gush") return { content: [{ type: "text", text: "z".repeat(5_000_000) }] };
	if (name !== "echo" && name !== "look") return { isError: true, content: [{ type: "text", text: `There is no ${name}.` }] };
	return { content: [{ type: "text", text: `said ${args?.text ?? "nothing"}` }] };
}
