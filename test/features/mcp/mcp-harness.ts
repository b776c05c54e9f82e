import { createWebBed, type WebBed } from "../../support/ws-harness.ts";

const VERSION = "2025-06-18";

/** The parts of what a server answers that tests look at. */
export interface RpcAnswer {
	status: number;
	headers: Headers;
	/** The last message: the answer. */
	message: { id?: unknown; result?: Record<string, unknown>; error?: { code: number; message: string } };
	/** Everything before it. */
	before: Record<string, unknown>[];
}

/** A client of `/mcp` with a token of its own. */
export interface McpClient {
	readonly tokenId: string;
	readonly secret: string;
	request(body: unknown, headers?: Record<string, string>, init?: { method?: string; signal?: AbortSignal }): Promise<RpcAnswer>;
	/** Resolves as soon as the server has begun to answer: the call runs. */
	begin(body: unknown, headers?: Record<string, string>, signal?: AbortSignal): Promise<{ answer: Promise<RpcAnswer> }>;
	/** A call of `await_turn` that waits. */
	beginWait(
		conversationId: string,
		headers?: Record<string, string>,
		more?: { id?: number; signal?: AbortSignal },
	): Promise<{ text: Promise<string> }>;
	rpc(method: string, params?: object, headers?: Record<string, string>): Promise<RpcAnswer>;
	/** What a tool gave; throws its text when it refused. */
	call(name: string, args?: object, headers?: Record<string, string>): Promise<ReturnType<typeof JSON.parse>>;
	/** The text of a refusal; throws when there was none. */
	refused(name: string, args?: object, headers?: Record<string, string>): Promise<string>;
}

export async function createMcpBed(options: Parameters<typeof createWebBed>[0] = {}) {
	const bed = await createWebBed(options);
	return { bed, client: (wanted: object = {}) => createClient(bed, wanted) };
}

async function createClient(bed: WebBed, wanted: object): Promise<McpClient> {
	const made = await bed.api("/api/mcp-tokens", { method: "POST", body: { name: "Editor", ...wanted } });
	const { token, secret } = Object(await made.json());
	let id = 0;
	const send = (body: unknown, headers: Record<string, string>, init: { method?: string; signal?: AbortSignal }) =>
		fetch(`${bed.url}/mcp`, {
			method: init.method ?? "POST",
			headers: {
				authorization: `Bearer ${secret}`,
				accept: "application/json, text/event-stream",
				...(body === undefined ? {} : { "content-type": "application/json" }),
				"mcp-protocol-version": VERSION,
				...headers,
			},
			...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
			...(init.signal === undefined ? {} : { signal: init.signal }),
		});
	const request: McpClient["request"] = async (body, headers = {}, init = {}) => await readAnswer(await send(body, headers, init));
	const begin: McpClient["begin"] = async (body, headers = {}, signal) => {
		const answer = readAnswer(await send(body, headers, signal === undefined ? {} : { signal }));
		answer.catch(() => undefined);
		return { answer };
	};
	const beginWait: McpClient["beginWait"] = async (conversationId, headers = {}, more = {}) => {
		id += 1;
		const params = { name: "await_turn", arguments: { conversationId, timeoutSeconds: 600 } };
		const { answer } = await begin({ jsonrpc: "2.0", id: more.id ?? id, method: "tools/call", params }, headers, more.signal);
		const text = answer.then(({ message }) => String(Object(message.result).content[0].text));
		text.catch(() => undefined);
		return { text };
	};
	const rpc: McpClient["rpc"] = (method, params = {}, headers = {}) => {
		id += 1;
		return request({ jsonrpc: "2.0", id, method, params }, headers);
	};
	const tool = async (name: string, args: object, headers: Record<string, string>) => {
		const { message } = await rpc("tools/call", { name, arguments: args }, headers);
		const { content, isError } = Object(message.result ?? {});
		return { isError, text: String(content?.[0]?.text ?? JSON.stringify(message)) };
	};
	return {
		tokenId: token.id,
		secret,
		request,
		begin,
		beginWait,
		rpc,
		async call(name, args = {}, headers = {}) {
			const { isError, text } = await tool(name, args, headers);
			if (isError !== false) throw new Error(text);
			return JSON.parse(text);
		},
		async refused(name, args = {}, headers = {}) {
			const { isError, text } = await tool(name, args, headers);
			if (isError !== true) throw new Error(`It was not refused: ${text}`);
			return text;
		},
	};
}

async function readAnswer(response: Response): Promise<RpcAnswer> {
	const text = await response.text();
	const { status, headers } = response;
	const isStream = headers.get("content-type")?.startsWith("text/event-stream") === true;
	const texts = isStream ? [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => data) : [text].filter((one) => one !== "");
	const messages = texts.map((one) => JSON.parse(one));
	return { status, headers, message: messages.at(-1) ?? {}, before: messages.slice(0, -1) };
}

/** As the agent of this conversation. */
export const inside = (conversationId: string) => ({ "rightseat-conversation": conversationId });
