import * as z from "zod/mini";
import type { Answer } from "./answer.ts";
import type { Message } from "./message.ts";
import { INVALID_PARAMS } from "./methods.ts";

/** So many calls of one client run at once; one that makes more is told so. */
export const MAX_CALLS = 32;

type Request = Extract<Message, { kind: "request" }>;
type Notification = Extract<Message, { kind: "notification" }>;

/** The calls of one client: an agent process, or a token. */
export interface ToolCalls<Tool> {
	/** Runs a call and answers it, whatever happens. */
	call(incoming: IncomingRequest<Tool>): Promise<void>;
	/** A cancel stops its call; one of a finished call, and every other notification, changes nothing. */
	notice(client: string, notification: Notification): void;
	/** Stops what runs: of one connection, or all of it. */
	close(client?: string): void;
}

/** A request to call a tool, before anything of it was looked at. */
export interface IncomingRequest<Tool> {
	/** Tells the connections of one client apart: each numbers its own calls. */
	client: string;
	request: Request;
	answer: Answer;
	/** Never rejects. */
	run(call: CalledTool<Tool>): Promise<CallResult>;
}

/** A call that is well formed and names a tool that there is. */
export interface CalledTool<Tool> {
	tool: Tool;
	args: Record<string, unknown>;
	meta: Record<string, unknown>;
	/** Aborts when the client takes the call back or is gone. */
	stop: AbortSignal;
}

/** What the model on the other side reads. */
export interface CallResult {
	ok: boolean;
	text: string;
}

const idSchema = z.union([z.string(), z.number()]);
const callSchema = z.object({
	name: z.string(),
	arguments: z.optional(z.record(z.string(), z.unknown())),
	_meta: z.optional(z.record(z.string(), z.unknown())),
});
const cancelSchema = z.object({ requestId: idSchema });

export function createToolCalls<Tool extends { readonly name: string }>(tools: readonly Tool[]): ToolCalls<Tool> {
	const running = new Map<string, { client: string; stop: AbortController }>();

	async function call({ client, request: { id, params }, answer, run }: IncomingRequest<Tool>): Promise<void> {
		const parsed = callSchema.safeParse(params);
		if (!parsed.success) return answer.fail(INVALID_PARAMS, "A call has a name and arguments.");
		const { name, arguments: args = {}, _meta: meta = {} } = parsed.data;
		const tool = tools.find((one) => one.name === name);
		if (tool === undefined) return answer.fail(INVALID_PARAMS, `There is no tool ${name.slice(0, 100)}.`);
		const key = keyOf(client, id);
		if (running.has(key)) return answer.fail(INVALID_PARAMS, "A call with this id is running.");
		if (running.size >= MAX_CALLS) return answer.succeed(toMcp({ ok: false, text: "Too many calls run at once. Wait for one to end." }));
		const stop = new AbortController();
		running.set(key, { client, stop });
		const token = idSchema.safeParse(meta.progressToken);
		answer.keepAlive(token.success ? token.data : undefined);
		answer.onGone(() => stop.abort());
		const result = await run({ tool, args, meta, stop: stop.signal });
		running.delete(key);
		answer.succeed(toMcp(result));
	}

	return {
		call,
		notice(client, { method, params }) {
			if (method !== "notifications/cancelled") return;
			const cancel = cancelSchema.safeParse(params);
			if (cancel.success) running.get(keyOf(client, cancel.data.requestId))?.stop.abort();
		},
		close(client) {
			for (const one of running.values()) if (client === undefined || client === one.client) one.stop.abort();
		},
	};
}

const keyOf = (client: string, id: string | number): string => JSON.stringify([client, id]);

const toMcp = ({ ok, text }: CallResult) => ({ content: [{ type: "text", text }], isError: !ok });
