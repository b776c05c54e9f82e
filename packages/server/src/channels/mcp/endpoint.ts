import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { CONVERSATION_HEADER, CONVERSATION_META } from "@rightseat/protocol/mcp-caller";
import { cutText } from "@rightseat/protocol/text";
import type { Conversations } from "../../core/conversations/conversations.ts";
import type { Clock } from "../../core/kernel/clock.ts";
import { toAppError } from "../../core/kernel/errors.ts";
import { type ConversationId, conversationId } from "../../core/kernel/ids.ts";
import type { Logger } from "../../core/kernel/logger.ts";
import type { AuditLog } from "../../core/ports/audit.ts";
import { handleMessage, writeRefusal } from "../../mcp/handle-message.ts";
import { messageOf } from "../../mcp/message.ts";
import { isKnownVersion } from "../../mcp/methods.ts";
import { type CalledTool, type CallResult, createToolCalls, type ToolCalls } from "../../mcp/tool-calls.ts";
import { createAccess } from "./access.ts";
import { createCallRate } from "./call-rate.ts";
import type { Lineage } from "./lineage.ts";
import { Refusal, refuse } from "./refusal.ts";
import type { McpCredential } from "./tokens.ts";
import { awaitTurn } from "./tools/await-turn.ts";
import { listConversations } from "./tools/list-conversations.ts";
import type { McpTool } from "./tools/mcp-tool.ts";
import { readConversation } from "./tools/read-conversation.ts";
import { sendPrompt } from "./tools/send-prompt.ts";
import { startConversation } from "./tools/start-conversation.ts";
import { stopTurn } from "./tools/stop-turn.ts";

/** Sessions that were ended are remembered so long as there are no more than these newer ones. */
const MAX_ENDED_SESSIONS = 1_000;

const INSTRUCTIONS =
	"Rightseat runs coding agents in conversations that people watch. Start one with start_conversation, wait with await_turn, read with read_conversation. A person answers the questions and permission requests of those agents; you cannot. Limits hold for how many you start, prompt and wait for; a refusal says which.";

/** One request that is let in. */
export interface McpRequest {
	request: IncomingMessage;
	response: ServerResponse;
	/** Parsed JSON; undefined when there was none. */
	body: unknown;
	token: McpCredential;
	/** Where it comes from, for the audit log. */
	address: string;
}

/** MCP over HTTP. */
export interface Endpoint {
	serve(request: McpRequest): Promise<void>;
	/** The token is good no more: what runs for it stops. */
	revoked(tokenId: string): void;
	close(): void;
}

export function createEndpoint(deps: {
	conversations: Conversations;
	lineage: Lineage;
	audit: Pick<AuditLog, "record">;
	clock: Clock;
	logger: Logger;
	/** Resolves when everything stored so far survives a power cut. */
	durable(): Promise<void>;
}): Endpoint {
	const { conversations, clock, logger } = deps;
	const access = createAccess(deps);
	const toolDeps = { conversations, lineage: deps.lineage, clock, access };
	const tools = [listConversations, startConversation, sendPrompt, awaitTurn, readConversation, stopTurn].map((make) => make(toolDeps));
	const rate = createCallRate(clock);
	/** By the token's id. */
	const calls = new Map<string, ToolCalls<McpTool>>();
	const ended = new Set<string>();

	async function run(given: CalledTool<McpTool>, by: McpRequest): Promise<CallResult> {
		const { tool, args, meta, stop } = given;
		let told = "done";
		try {
			if (!rate.take(by.token.owner)) refuse("rate-limited", "Too many calls in this minute. Wait, and let await_turn do the waiting.");
			const inside = insideOf(by.request.headers[CONVERSATION_HEADER] ?? meta[CONVERSATION_META]);
			const result = await tool.run(args, { caller: { token: by.token, inside }, signal: stop });
			await deps.durable();
			return { ok: true, text: JSON.stringify(result) };
		} catch (error) {
			if (!(error instanceof Refusal) && toAppError(error).code === "internal")
				logger.error({ err: error, tool: tool.name }, "A call over MCP failed");
			const { code, message } = error instanceof Refusal ? error : toAppError(error);
			told = `refused, ${code}`;
			return { ok: false, text: `${code}: ${message}` };
		} finally {
			deps.audit.record({ kind: "mcp", source: `mcp ${by.token.name} ${by.address}`, detail: `${tool.name} ${summaryOf(args)}: ${told}` });
		}
	}
	/** A conversation that is not ours may be one of another server: then the caller is a program outside. */
	function insideOf(named: unknown): ConversationId | undefined {
		if (typeof named !== "string" || named === "" || named.length > 200) return undefined;
		return conversations.find(conversationId(named)) === undefined ? undefined : conversationId(named);
	}

	function callsOf({ id }: McpCredential): ToolCalls<McpTool> {
		const known = calls.get(id) ?? createToolCalls(tools);
		calls.set(id, known);
		return known;
	}
	function end(session: string) {
		ended.add(session);
		const [oldest] = ended;
		if (ended.size > MAX_ENDED_SESSIONS && oldest !== undefined) ended.delete(oldest);
	}

	async function post(given: McpRequest, session: string | undefined): Promise<void> {
		const { request, response } = given;
		await handleMessage(messageOf(given.body), {
			...{ request, response, clock, tools, instructions: INSTRUCTIONS, calls: callsOf(given.token) },
			// Without a session nothing tells two clients of one token apart: such a call is only its own.
			client: session ?? randomBytes(8).toString("hex"),
			run: (call) => run(call, given),
			refuse: (status, message) => writeRefusal(response, status, message),
		});
	}

	return {
		async serve(given) {
			const { request, response, token } = given;
			const version = request.headers["mcp-protocol-version"];
			if (version !== undefined && !isKnownVersion(String(version)))
				return writeRefusal(response, 400, `MCP-Protocol-Version ${cutText(String(version), 40)} is not known here.`);
			const session = request.headers["mcp-session-id"]?.toString();
			if (session !== undefined && !/^[\x21-\x7e]{1,100}$/.test(session))
				return writeRefusal(response, 400, "This Mcp-Session-Id is none.");
			// Only the token lets anybody in. One that we do not know is from before a restart, and good as ever.
			if (session !== undefined && ended.has(session))
				return writeRefusal(response, 404, "This session was ended. Begin a new one with initialize.");
			if (request.method === "POST") return post(given, session);
			if (request.method === "DELETE") {
				if (session === undefined) return writeRefusal(response, 400, "Which session? Send its Mcp-Session-Id.");
				end(session);
				calls.get(token.id)?.close(session);
				response.writeHead(204).end();
				return;
			}
			// There is nothing that we would say unasked, so there is no stream to get.
			return writeRefusal(response, 405, "Only POST and DELETE are understood.", { allow: "POST, DELETE" });
		},
		revoked(tokenId) {
			calls.get(tokenId)?.close();
			calls.delete(tokenId);
		},
		close() {
			for (const one of calls.values()) one.close();
			calls.clear();
		},
	};
}

/** Which conversation, and the beginning of the prompt. */
function summaryOf(args: Record<string, unknown>): string {
	const words = [args.conversationId, args.cwd, args.prompt].filter((value) => typeof value === "string");
	return words.map((word) => JSON.stringify(cutText(String(word), 120))).join(" ");
}
