import * as z from "zod/mini";
import type { Logger } from "../../../core/kernel/logger.ts";
import type { AgentTool, ToolResult } from "../../../core/ports/agent-tool.ts";
import type { Message } from "../peer/message.ts";
import type { Answer } from "./answer.ts";
import { INVALID_PARAMS } from "./methods.ts";
import { runHosted } from "./run-hosted.ts";
import type { OpenTools } from "./tool-server.ts";

/** So many calls of one agent run at once; an agent that makes more is told so. */
export const MAX_CALLS = 32;

type Request = Extract<Message, { kind: "request" }>;
type Notification = Extract<Message, { kind: "notification" }>;

/** The calls of one agent process. */
export interface ToolCalls {
	/** Runs a call and answers it, whatever happens. `client` tells the connections of one agent apart: each numbers its own calls. */
	call(client: string, request: Request, answer: Answer): Promise<void>;
	/** A cancel stops its call; one of a finished call, and every other notification, changes nothing. */
	notice(client: string, notification: Notification): void;
	/** Stops what runs. */
	close(): void;
}

const idSchema = z.union([z.string(), z.number()]);
const callSchema = z.object({
	name: z.string(),
	arguments: z.optional(z.record(z.string(), z.unknown())),
	_meta: z.optional(z.record(z.string(), z.unknown())),
});
const cancelSchema = z.object({ requestId: idSchema });

export function createToolCalls(deps: { tools: readonly AgentTool[]; host: OpenTools["onCall"]; logger: Logger }): ToolCalls {
	const running = new Map<string, AbortController>();

	async function call(client: string, { id, params }: Request, answer: Answer): Promise<void> {
		const parsed = callSchema.safeParse(params);
		if (!parsed.success) return answer.fail(INVALID_PARAMS, "A call has a name and arguments.");
		const { name, arguments: args = {}, _meta: meta = {} } = parsed.data;
		const tool = deps.tools.find((one) => one.name === name);
		if (tool === undefined) return answer.fail(INVALID_PARAMS, `There is no tool ${name.slice(0, 100)}.`);
		const key = keyOf(client, id);
		if (running.has(key)) return answer.fail(INVALID_PARAMS, "A call with this id is running.");
		if (running.size >= MAX_CALLS) return answer.succeed(toMcp({ ok: false, text: "Too many calls run at once. Wait for one to end." }));
		const stop = new AbortController();
		running.set(key, stop);
		const token = idSchema.safeParse(meta.progressToken);
		answer.keepAlive(token.success ? token.data : undefined);
		answer.onGone(() => stop.abort());
		const result = await runHosted({ tool, args, meta, stop: stop.signal, host: deps.host, logger: deps.logger });
		running.delete(key);
		answer.succeed(toMcp(result));
	}

	return {
		call,
		notice(client, { method, params }) {
			if (method !== "notifications/cancelled") return;
			const cancel = cancelSchema.safeParse(params);
			if (cancel.success) running.get(keyOf(client, cancel.data.requestId))?.abort();
		},
		close() {
			for (const stop of running.values()) stop.abort();
		},
	};
}

const keyOf = (client: string, id: string | number): string => JSON.stringify([client, id]);

const toMcp = ({ ok, text }: ToolResult) => ({ content: [{ type: "text", text }], isError: !ok });
