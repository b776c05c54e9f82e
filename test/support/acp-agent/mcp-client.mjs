// A small MCP client over HTTP, as the agents bring one: initialize, list the tools, call one, cancel a call.

import { fieldsOf, listOf, textOf } from "./fields.mjs";

/**
 * @typedef {{ name: string, url: string, headers?: { name: string, value: string }[] }} McpServer
 * @typedef {{ content: { type: string, text?: string }[], isError?: boolean }} ToolResult
 * @typedef {ReturnType<typeof createMcpClient>} McpClient
 */

/** @param {McpServer} server */
export function createMcpClient(server) {
	let lastId = 0;
	let session = "";
	/** @type {number} */
	let progress = 0;

	/** @param {import("./wire.mjs").Message} message @param {AbortSignal} [signal] */
	async function post(message, signal) {
		const response = await fetch(server.url, {
			method: "POST",
			headers: {
				"content-type": "application/json",
				accept: "application/json, text/event-stream",
				"mcp-protocol-version": "2025-06-18",
				...(session === "" ? {} : { "mcp-session-id": session }),
				...Object.fromEntries((server.headers ?? []).map(({ name, value }) => [name, value])),
			},
			body: JSON.stringify({ jsonrpc: "2.0", ...message }),
			...(signal === undefined ? {} : { signal }),
		});
		session = response.headers.get("mcp-session-id") ?? session;
		return response;
	}

	/** @param {string} method @param {unknown} params @param {AbortSignal} [signal] */
	async function request(method, params, signal) {
		lastId += 1;
		const id = lastId;
		const stop = () =>
			void post({ method: "notifications/cancelled", params: { requestId: id, reason: "stopped" } }).catch(() => undefined);
		signal?.addEventListener("abort", stop, { once: true });
		try {
			const response = await post({ id, method, params }, signal);
			if (!response.ok) throw new Error(`The MCP server ${server.name} answered ${response.status} to ${method}.`);
			const message = await answerOf(response, id);
			if (message.error !== undefined) throw new Error(`${message.error.code} ${message.error.message}`);
			return message.result;
		} finally {
			signal?.removeEventListener("abort", stop);
		}
	}

	/** The answer to this request, alone or at the end of a stream of notifications. @param {Response} response @param {number} id @returns {Promise<import("./wire.mjs").Message>} */
	async function answerOf(response, id) {
		if (!(response.headers.get("content-type") ?? "").includes("text/event-stream")) return response.json();
		let rest = "";
		const decoder = new TextDecoder();
		for await (const bytes of response.body ?? []) {
			rest += decoder.decode(bytes, { stream: true });
			for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
				const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
				rest = rest.slice(end + 2);
				const message = data === undefined ? {} : JSON.parse(data);
				if (message.method === "notifications/progress") progress += 1;
				if (message.id === id) return message;
			}
		}
		throw new Error("The MCP server ended its stream without an answer.");
	}

	async function start() {
		await request("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "scripted-agent", version: "1" } });
		await post({ method: "notifications/initialized" });
	}

	/** @returns {Promise<{ name: string }[]>} */
	const listTools = async () => listOf(fieldsOf(await request("tools/list", {})).tools).map(({ name }) => ({ name: textOf(name) }));

	/** @param {string} name @param {unknown} args @param {object} meta @param {AbortSignal} signal @returns {Promise<ToolResult>} */
	async function call(name, args, meta, signal) {
		const params = { name, arguments: args, _meta: { progressToken: lastId + 1, ...meta } };
		const { content, isError } = fieldsOf(await request("tools/call", params, signal));
		return { content: listOf(content).map(({ type, text }) => ({ type: textOf(type), text: textOf(text) })), isError: isError === true };
	}

	return { name: server.name, start, listTools, call, progress: () => progress };
}
