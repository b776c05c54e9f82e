import { randomBytes } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Clock } from "../core/kernel/clock.ts";
import { answerWith } from "./answer.ts";
import type { Message } from "./message.ts";
import { answerMethod, type ListedTool, METHOD_NOT_FOUND } from "./methods.ts";
import type { IncomingRequest, ToolCalls } from "./tool-calls.ts";

/** Who speaks, and what is served to them. */
export interface Served<Tool extends ListedTool> extends Pick<IncomingRequest<Tool>, "client" | "run"> {
	request: IncomingMessage;
	response: ServerResponse;
	clock: Clock;
	calls: ToolCalls<Tool>;
	tools: readonly Tool[];
	instructions?: string;
	/** Ends the request with this status and sentence. */
	refuse(status: number, message: string): void;
}

/** Answers the one message of a request, whatever it is. */
export async function handleMessage<Tool extends ListedTool>(message: Message, served: Served<Tool>): Promise<void> {
	const { request, response, calls, client } = served;
	switch (message.kind) {
		case "notification":
			calls.notice(client, message);
			response.writeHead(202).end();
			return;
		case "result":
		case "error":
			// We ask clients for nothing.
			response.writeHead(202).end();
			return;
		case "noise":
			return served.refuse(400, "This is no message of JSON-RPC 2.0, or more than one.");
		case "request": {
			const answer = answerWith(response, { request, id: message.id, clock: served.clock });
			if (message.method === "tools/call") return await calls.call({ client, request: message, answer, run: served.run });
			const result = answerMethod(message, served);
			if (result === undefined) return answer.fail(METHOD_NOT_FOUND, `There is no method ${message.method.slice(0, 100)}.`);
			return answer.succeed(result, message.method === "initialize" ? { "mcp-session-id": randomBytes(16).toString("hex") } : {});
		}
	}
}

/** A request that gets as far as no message, in the shape of an answer to one. */
export function writeRefusal(response: ServerResponse, status: number, message: string, headers: Record<string, string> = {}): void {
	response.writeHead(status, { "content-type": "application/json", ...headers });
	response.end(JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_600, message } }));
}
