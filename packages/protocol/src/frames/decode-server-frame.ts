import { eventFrameSchema } from "../events/event.ts";
import { fieldOf } from "../model/field.ts";
import { replyFrameSchema, type ServerFrame } from "./server.ts";

/** A frame, or what is known of one that cannot be used. */
export type DecodedServerFrame =
	| { kind: "frame"; frame: ServerFrame }
	/** A newer server may say things this client does not know. As an event it still has its place in the log of its conversation. */
	| { kind: "unknown"; type: string; event?: EventPosition }
	/** A known frame that cannot be read: whatever it changed is missing now. */
	| { kind: "malformed"; conversationId: string | undefined };

/** Where an event stands in the log of its conversation. */
export interface EventPosition {
	conversationId: string;
	epoch: string;
	seq: number;
}

const typesOf = (options: readonly { shape: { type: { def: { values: readonly unknown[] } } } }[]) =>
	new Set(options.map((option) => String(option.shape.type.def.values[0])));
const EVENT_TYPES = typesOf(eventFrameSchema.def.options);
const REPLY_TYPES = typesOf(replyFrameSchema.def.options);

/** The only `JSON.parse` of what the socket says. */
export function decodeServerFrame(text: string): DecodedServerFrame {
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch {
		return { kind: "malformed", conversationId: undefined };
	}
	const type = String(fieldOf(value, "type"));
	const schema = EVENT_TYPES.has(type) ? eventFrameSchema : REPLY_TYPES.has(type) ? replyFrameSchema : undefined;
	if (schema === undefined) return unknown(type, fieldOf(value, "data"));
	const parsed = schema.safeParse(value);
	if (parsed.success) return { kind: "frame", frame: parsed.data };
	const conversationId = fieldOf(fieldOf(value, "data"), "conversationId");
	// Output of a command without a conversation has the same type and no position.
	if (conversationId === undefined && type.startsWith("bash:")) return { kind: "unknown", type };
	return { kind: "malformed", conversationId: typeof conversationId === "string" ? conversationId : undefined };
}

function unknown(type: string, data: unknown): DecodedServerFrame {
	const [conversationId, epoch, seq] = [fieldOf(data, "conversationId"), fieldOf(data, "epoch"), fieldOf(data, "seq")];
	if (typeof conversationId !== "string" || typeof epoch !== "string" || typeof seq !== "number") return { kind: "unknown", type };
	return { kind: "unknown", type, event: { conversationId, epoch, seq } };
}
