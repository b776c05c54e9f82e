import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Clock } from "../../../core/kernel/clock.ts";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AgentTool } from "../../../core/ports/agent-tool.ts";
import { handleMessage, writeRefusal } from "../../../mcp/handle-message.ts";
import { readMessage } from "../../../mcp/message.ts";
import { createToolCalls, type ToolCalls } from "../../../mcp/tool-calls.ts";
import { readBody } from "./body.ts";
import { findRefusal } from "./gate.ts";
import { type Ends, isOfAnotherUser } from "./peer-user.ts";
import { runHosted } from "./run-hosted.ts";
import type { OpenedTools, OpenTools, ToolServer } from "./tool-server.ts";

/** The only path that is served. */
const PATH = "/mcp";
/** More connections than so many agents need are a mistake of one of them. */
const MAX_CONNECTIONS = 512;
/** Clients keep a connection for their next call; one that we close just then would lose it. */
const KEEP_ALIVE_MS = 600_000;

interface Opened {
	options: OpenTools;
	calls: ToolCalls<AgentTool>;
}

/** Serves our tools to agents over HTTP on loopback. Listens from the first `open` on; keeps no process alive. */
export function createToolServer(deps: {
	clock: Clock;
	logger: Logger;
	/** Whether a program of another user is at the other end of a connection. */
	isStranger?: (ends: Ends) => Promise<boolean>;
}): ToolServer {
	const isStranger = deps.isStranger ?? isOfAnotherUser;
	/** Asked once for each connection. */
	const strangers = new WeakMap<Ends, Promise<boolean>>();
	/** By the digest of its token: a look-up by digest tells nothing about a token by the time that it takes. */
	const opened = new Map<string, Opened>();
	let listening: Promise<Listening> | undefined;

	async function open(options: OpenTools): Promise<OpenedTools> {
		listening ??= listen((request, response, port) => serve(request, response, port));
		const { port } = await listening;
		const token = randomBytes(32).toString("base64url");
		const entry: Opened = { options, calls: createToolCalls(options.tools) };
		opened.set(digest(token), entry);
		return {
			url: `http://127.0.0.1:${port}${PATH}`,
			token,
			close() {
				opened.delete(digest(token));
				entry.calls.close();
			},
		};
	}

	async function serve(request: IncomingMessage, response: ServerResponse, port: number): Promise<void> {
		const refusal = findRefusal(request, { port, path: PATH });
		if (refusal !== undefined) return refuse(response, refusal.status, refusal.message, refusal.headers);
		const entry = opened.get(digest(bearerOf(request)));
		if (entry === undefined) return refuse(response, 401, "This token is not, or no longer, valid.");
		const asked = strangers.get(request.socket) ?? isStranger(request.socket);
		strangers.set(request.socket, asked);
		if (await asked) {
			deps.logger.warn(
				{ remotePort: request.socket.remotePort },
				"A program of another user came with the token of an agent and was refused",
			);
			return refuse(response, 403, "Only programs of the user who runs Rightseat are answered.");
		}
		const body = await readBody(request);
		if (body === undefined) return refuse(response, 413, "A call has at most 1 MiB.");
		const { calls, options } = entry;
		await handleMessage(readMessage(body), {
			...{ request, response, clock: deps.clock, calls, tools: options.tools },
			client: String(request.headers["mcp-session-id"] ?? ""),
			run: (call) => runHosted({ ...call, host: options.onCall, logger: deps.logger }),
			refuse: (status, message) => refuse(response, status, message),
		});
	}

	return {
		open,
		async close() {
			for (const { calls } of opened.values()) calls.close();
			opened.clear();
			const { server } = (await listening) ?? {};
			if (server === undefined) return;
			const closed = once(server, "close");
			server.close();
			server.closeAllConnections();
			await closed;
		},
	};
}

interface Listening {
	server: Server;
	port: number;
}

async function listen(serve: (request: IncomingMessage, response: ServerResponse, port: number) => Promise<void>): Promise<Listening> {
	let port = 0;
	const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
		serve(request, response, port).catch((error: unknown) => response.destroy(error instanceof Error ? error : undefined));
	});
	server.maxConnections = MAX_CONNECTIONS;
	server.listen(0, "127.0.0.1");
	await once(server, "listening");
	server.unref();
	const address = server.address();
	port = address === null || typeof address === "string" ? 0 : address.port;
	return { server, port };
}

function refuse(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
	// Whatever of the request is still under way is not read: the connection ends with the answer.
	writeRefusal(response, status, message, { connection: "close", ...headers });
}

const bearerOf = ({ headers }: IncomingMessage): string => /^Bearer (\S+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
const digest = (token: string): string => createHash("sha256").update(token).digest("hex");
