import * as z from "zod/mini";
import { MAX_ATTACHMENTS, MAX_PLAN_CHARS, MAX_PROMPT_CHARS } from "../limits.ts";
import { budgetDecisionSchema } from "../model/budget.ts";
import { fieldOf } from "../model/field.ts";
import { formActionSchema } from "../model/form.ts";
import type { Params } from "../model/params.ts";
import { firstProblem, sayWrongShape } from "../sentences/wrong-shape.ts";
import { type Echo, echoOf, MAX_ID_CHARS } from "./echo.ts";

/** Everything a client may say on `/ws`. One schema per frame type; the union is the whole language. */

const conversationId = z.string().check(z.minLength(1), z.maxLength(64), z.regex(/^[\w-]+$/, "This is no id of a conversation."));
const shortId = z.string().check(z.minLength(1), z.maxLength(MAX_ID_CHARS));
const size = z.int().check(z.minimum(1), z.maximum(1000));
/** Of frames that need none; null is how some clients write that. */
const noData = z.optional(z.nullable(z.object({})));

/** Beside `type` and `data`, on every frame: its answer carries it back. */
const requestId = z.optional(shortId);

const frame = <T extends string, D extends z.core.$ZodType>(type: T, data: D) => z.object({ type: z.literal(type), requestId, data });

/** Everything a client may say on the socket. Unknown fields are ignored; an unknown type is refused. */
export const clientFrameSchema = z.discriminatedUnion("type", [
	frame("ping", noData),
	frame(
		"copilot:send",
		z.object({
			conversationId,
			// Too long a prompt is refused by its clientMessageId, not as a frame that could not be read.
			prompt: z.string(),
			clientMessageId: z.optional(shortId),
			/** Ids of uploaded attachments. */
			attachments: z.optional(z.array(shortId).check(z.maxLength(MAX_ATTACHMENTS))),
			mode: z.optional(z.enum(["enqueue", "immediate"])),
		}),
	),
	frame(
		"copilot:abort",
		z.optional(
			z.nullable(
				z.object({
					conversationId: z.optional(conversationId),
					/** Of the turn to stop: one that comes late stops no other. */
					messageId: z.optional(shortId),
				}),
			),
		),
	),
	/** Ends one sub-agent of the running turn, which goes on. */
	frame("copilot:subagent_stop", z.object({ conversationId, agentId: shortId })),
	frame(
		"copilot:subscribe",
		z.object({
			conversationId,
			epoch: z.optional(z.string().check(z.maxLength(64))),
			lastSeq: z.optional(z.int().check(z.minimum(0))),
		}),
	),
	frame("copilot:unsubscribe", z.object({ conversationId })),
	frame("copilot:status", noData),
	frame(
		"copilot:user_input_response",
		z.object({
			conversationId,
			requestId: shortId,
			answer: z.string().check(z.maxLength(MAX_PROMPT_CHARS)),
			wasFreeform: z.optional(z.boolean()),
		}),
	),
	frame(
		"copilot:permission_response",
		z.object({
			conversationId,
			requestId: shortId,
			decision: z.enum(["approve-once", "approve-for-session", "reject"]),
			/** With `approve-once`: what the request offers to remember is not asked for again in its folder. */
			remember: z.optional(z.boolean()),
			feedback: z.optional(z.string().check(z.maxLength(10_000))),
		}),
	),
	frame(
		"copilot:plan_response",
		z.object({
			/** Without it: whichever conversation has this request. */
			conversationId: z.optional(conversationId),
			requestId: shortId,
			approved: z.boolean(),
			/** One of the request's; without it the agent goes on as usual. */
			action: z.optional(shortId),
			/** What to change in a plan that is sent back, or to mind in one that is taken. */
			feedback: z.optional(z.string().check(z.maxLength(10_000))),
			/** The plan as the person changed it, with `approved`. */
			plan: z.optional(z.string().check(z.maxLength(MAX_PLAN_CHARS))),
		}),
	),
	frame(
		"copilot:budget_response",
		z.object({
			/** Without it: whichever conversation has this request. */
			conversationId: z.optional(conversationId),
			requestId: shortId,
			decision: budgetDecisionSchema,
			/** The new limit, with `raise`; without it as much again as the old one, from what is used now. */
			limit: z.optional(z.number().check(z.minimum(0), z.maximum(1e15))),
		}),
	),
	frame(
		"copilot:form_response",
		z.object({
			/** Without it: whichever conversation has this request. */
			conversationId: z.optional(conversationId),
			requestId: shortId,
			action: formActionSchema,
			/** With `accept`: the values by the names of the fields; checked against the form, so that what is wrong is told by its field. */
			content: z.optional(z.record(z.string(), z.unknown())),
		}),
	),
	frame(
		"copilot:queue_edit",
		z.object({ conversationId, messageId: shortId, content: z.string().check(z.minLength(1), z.maxLength(MAX_PROMPT_CHARS)) }),
	),
	frame("copilot:queue_move", z.object({ conversationId, messageId: shortId, toIndex: z.int().check(z.minimum(0)) })),
	frame("copilot:queue_drop", z.object({ conversationId, messageId: shortId })),
	/** Takes a queued prompt out of the queue and steers it into the running turn. */
	frame("copilot:queue_send_now", z.object({ conversationId, messageId: shortId })),
	frame(
		"bash:exec",
		z.object({
			// As with a prompt: what is wrong with it is told by its clientMessageId.
			command: z.string(),
			conversationId: z.optional(conversationId),
			clientMessageId: z.optional(shortId),
		}),
	),
	/** On another host it is found by its conversation. */
	frame("bash:kill", z.object({ execId: shortId, conversationId: z.optional(conversationId) })),
	frame("bash:context_drop", z.object({ conversationId, messageId: shortId })),
	frame("bash:context_trim", z.object({ conversationId, messageId: shortId, maxChars: z.int().check(z.minimum(0), z.maximum(10_000)) })),
	frame("bash:restart", z.object({ conversationId })),
	frame("bash:jobs", z.optional(z.nullable(z.object({ conversationId: z.optional(conversationId) })))),
	frame("bash:job_output", z.object({ conversationId, bashId: shortId, filter: z.optional(z.string().check(z.maxLength(1000))) })),
	frame("bash:job_kill", z.object({ conversationId, bashId: shortId })),
	frame(
		"terminal:open",
		z.object({
			terminalId: shortId,
			conversationId: z.optional(conversationId),
			cwd: z.optional(z.string().check(z.maxLength(4096))),
			cols: size,
			rows: size,
		}),
	),
	frame("terminal:input", z.object({ terminalId: shortId, data: z.string().check(z.maxLength(65_536)) })),
	frame("terminal:resize", z.object({ terminalId: shortId, cols: size, rows: size })),
	frame("terminal:close", z.object({ terminalId: shortId })),
	/** What this page looks at, so that nothing buzzes about what is already on screen. */
	frame("presence:set", z.object({ visible: z.boolean(), conversationId: z.optional(conversationId) })),
]);
/** A frame of a client that the schema has accepted. */
export type ClientFrame = z.infer<typeof clientFrameSchema>;
/** The name of a frame that a client may send. */
export type ClientFrameType = ClientFrame["type"];
/** The client frame of this name. */
export type ClientFrameOf<T extends ClientFrameType> = Extract<ClientFrame, { type: T }>;

/** All names, to tell an unknown frame from a malformed one. */
export const CLIENT_FRAME_TYPES: ReadonlySet<string> = new Set(
	clientFrameSchema.def.options.map((option) => String(option.shape.type.def.values[0])),
);

/** A frame, or why there is none, with enough of it to name it in the refusal. */
export type DecodedClientFrame =
	| { ok: true; frame: ClientFrame }
	| { ok: false; code: "bad-json" | "bad-frame" | "unknown-type"; message: string; params?: Params; echo: Echo };

/** The only `JSON.parse` of client data. */
export function decodeClientFrame(raw: string): DecodedClientFrame {
	let value: unknown;
	try {
		value = JSON.parse(raw);
	} catch {
		return { ok: false, code: "bad-json", message: 'This frame is not JSON. Send {"type":"…","data":{…}}.', echo: { ids: {} } };
	}
	const echo = echoOf(value);
	const type = typeOf(value);
	if (type === undefined) {
		return { ok: false, code: "bad-frame", message: 'A frame is an object with a string "type" and an optional object "data".', echo };
	}
	if (!CLIENT_FRAME_TYPES.has(type)) {
		return {
			ok: false,
			code: "unknown-type",
			message: `Unknown frame type "${type.slice(0, 80)}".`,
			params: { type: type.slice(0, 80) },
			echo,
		};
	}
	const parsed = clientFrameSchema.safeParse(value);
	if (!parsed.success) {
		const where = sayWrongShape(firstProblem(parsed.error.issues));
		return { ok: false, code: "bad-frame", message: `Wrong shape of ${type}: ${where}`, params: { type, where }, echo };
	}
	return { ok: true, frame: parsed.data };
}

function typeOf(value: unknown): string | undefined {
	if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
	const type = fieldOf(value, "type");
	return typeof type === "string" ? type : undefined;
}
