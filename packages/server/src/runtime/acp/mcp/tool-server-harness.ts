import { request as httpRequest } from "node:http";
import { expect } from "vitest";
import { createFakeClock } from "../../../../../../test/support/fake-clock.ts";
import { silentLogger } from "../../../core/kernel/logger.ts";
import type { AgentTool, ToolCall, ToolResult } from "../../../core/ports/agent-tool.ts";
import { createToolServer } from "./create-tool-server.ts";
import type { Ends } from "./peer-user.ts";
import type { HostedCall, IncomingCall, OpenedTools, ToolServer } from "./tool-server.ts";

const servers: ToolServer[] = [];

/** Closes what a test left open. */
export async function closeServers(): Promise<void> {
	await Promise.all(servers.splice(0).map((server) => server.close()));
}

/** Says its arguments again. */
export const ECHO: AgentTool = {
	name: "Echo",
	description: "Says it again.",
	parameters: { type: "object" },
	run: async (args) => ({ ok: true, text: JSON.stringify(args) }),
};

/** A call of a tool as a client sends it. */
export const call = (id: string | number, name: string, args: object = {}) => ({
	id,
	method: "tools/call",
	params: { name, arguments: args },
});
export const echo = (id: string | number, args: object) => call(id, "Echo", args);

/** A server with a clock of its own, closed by `closeServers`. */
export function makeServer(clock = createFakeClock(), isStranger?: (ends: Ends) => Promise<boolean>): ToolServer {
	const server = createToolServer({ clock, logger: silentLogger, ...(isStranger === undefined ? {} : { isStranger }) });
	servers.push(server);
	return server;
}

/** A tool that runs until the test ends it, or its call is stopped. */
export function heldTool() {
	const begun = promised<ToolCall>();
	const result = promised<ToolResult>();
	const signals: AbortSignal[] = [];
	return {
		...ECHO,
		name: "Held",
		begun: begun.promise,
		end: result.resolve,
		count: () => signals.length,
		aborted: () => signals.some((signal) => signal.aborted),
		run(_args: unknown, running: ToolCall): Promise<ToolResult> {
			signals.push(running.signal);
			begun.resolve(running);
			const stopped = new Promise<ToolResult>((resolve) => {
				running.signal.addEventListener("abort", () => resolve({ ok: false, text: "stopped" }));
			});
			return Promise.race([result.promise, stopped]);
		},
	};
}

interface Options {
	server?: ToolServer;
	tool?: AgentTool;
	permit?: HostedCall["permit"];
	host?: () => Promise<HostedCall | undefined>;
}

/** The tools of one agent, and what came of its calls. */
export async function openTools({ server: given, tool = ECHO, permit, host }: Options = {}) {
	const clock = createFakeClock();
	const server = given ?? makeServer(clock);
	const calls: IncomingCall[] = [];
	const ran: unknown[] = [];
	const outputs: string[] = [];
	const ended: ToolResult[] = [];
	const stop = new AbortController();
	const watched: AgentTool = {
		...tool,
		run: (args, running) => {
			ran.push(args);
			return tool.run(args, running);
		},
	};
	async function onCall(incoming: IncomingCall): Promise<HostedCall | undefined> {
		calls.push(incoming);
		if (host !== undefined) return host();
		return {
			toolCallId: String(incoming.meta["claudecode/toolUseId"] ?? "own"),
			signal: stop.signal,
			permit: permit ?? (async () => ({ kind: "approve-once" })),
			output: (text) => outputs.push(text),
			ended: (result) => ended.push(result),
		};
	}
	const opened = await server.open({ tools: [watched], onCall });
	const headersOf = (more: Record<string, string>) => ({
		"content-type": "application/json",
		accept: "application/json",
		authorization: `Bearer ${opened.token}`,
		...more,
	});
	async function post(message: object, headers: Record<string, string> = {}) {
		const body = JSON.stringify({ jsonrpc: "2.0", ...message });
		const response = await fetch(opened.url, { method: "POST", headers: headersOf(headers), body });
		const text = await response.text();
		return { status: response.status, headers: response.headers, message: text === "" ? {} : JSON.parse(text) };
	}
	async function stream(message: object, headers: Record<string, string> = {}, signal?: AbortSignal) {
		const accept = "application/json, text/event-stream";
		const body = JSON.stringify({ jsonrpc: "2.0", ...message });
		const init = { method: "POST", headers: headersOf({ accept, ...headers }), body };
		const response = await fetch(opened.url, signal === undefined ? init : { ...init, signal });
		expect(response.headers.get("content-type")).toBe("text/event-stream");
		const events = readEvents(response);
		return { next: async () => (await events.next()).value };
	}
	return { server, opened, post, stream, clock, calls, ran, outputs, ended, stop };
}

async function* readEvents(response: Response): AsyncGenerator<unknown> {
	const decoder = new TextDecoder();
	let rest = "";
	for await (const bytes of response.body ?? []) {
		rest += decoder.decode(bytes, { stream: true });
		for (let end = rest.indexOf("\n\n"); end >= 0; end = rest.indexOf("\n\n")) {
			const data = /^data: (.*)$/m.exec(rest.slice(0, end))?.[1];
			yield data === undefined ? rest.slice(0, end) : JSON.parse(data);
			rest = rest.slice(end + 2);
		}
	}
}

/** A request as no fetch would send it. */
export function raw({ url }: OpenedTools, headers: Record<string, string>, body?: string): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const request = httpRequest(url, { method: "POST", headers }, (response) => {
			response.resume();
			resolve(response.statusCode);
		});
		request.once("error", reject);
		// Written apart from the end: so its length is not known before.
		request.write(body ?? JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }));
		request.end();
	});
}

/** A promise that somebody else settles. */
export function promised<T>(): { promise: Promise<T>; resolve: (value: T) => void } {
	let resolve: (value: T) => void = () => undefined;
	const promise = new Promise<T>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}
