import * as z from "zod/mini";

/** One message of JSON-RPC, or `noise`: whatever else a program writes to its standard output. */
export type Message =
	| { kind: "request"; id: string | number; method: string; params: unknown }
	| { kind: "notification"; method: string; params: unknown }
	| { kind: "result"; id: string | number | null; result: unknown }
	| { kind: "error"; id: string | number | null; error: PeerFault }
	| { kind: "noise" };

/** What the other side answered instead of a result; any number may be its code. Many say what happened only in the details. */
export interface PeerFault {
	code: number;
	message: string;
}

const idSchema = z.union([z.string(), z.number()]);
const messageSchema = z.object({
	id: z.optional(z.nullable(idSchema)),
	method: z.optional(z.string()),
	params: z.optional(z.unknown()),
	result: z.optional(z.unknown()),
	error: z.optional(z.unknown()),
});
const faultSchema = z.object({ code: z.number(), message: z.optional(z.string()), data: z.optional(z.unknown()) });

/** Reads one line. Never throws: a line that is no message is noise, and a message behind noise on the same line is found. */
export const readMessage = (line: string): Message => messageOf(parseLine(line));

/** The message that a line was parsed to. */
export function messageOf(value: unknown): Message {
	const parsed = messageSchema.safeParse(value);
	if (!parsed.success) return { kind: "noise" };
	const { id, method, params, error } = parsed.data;
	if (method !== undefined) {
		return id === undefined || id === null ? { kind: "notification", method, params } : { kind: "request", id, method, params };
	}
	if (error !== undefined && error !== null) return { kind: "error", id: id ?? null, error: readFault(error) };
	return id === undefined ? { kind: "noise" } : { kind: "result", id, result: parsed.data.result };
}

function readFault(error: unknown): PeerFault {
	const fault = faultSchema.safeParse(error);
	if (!fault.success) return { code: 0, message: "an error without a code" };
	const { code, message = "", data } = fault.data;
	const words = detailOf(data);
	return { code, message: words === undefined || message.includes(words) ? message : `${message}: ${words}` };
}

function detailOf(data: unknown): string | undefined {
	if (typeof data === "string") return data || undefined;
	const details = detailsSchema.safeParse(data);
	return details.success ? details.data.details || details.data.message || undefined : undefined;
}
const detailsSchema = z.object({ details: z.optional(z.string()), message: z.optional(z.string()) });

/** Undefined when there is no object in it that is accepted. Uses nothing outside of its body: it is handed to a thread as text, too. */
export function parseLine(line: string, accepts: (text: string) => boolean = () => true): unknown {
	function parse(text: string): unknown {
		if (!text.startsWith("{") || !accepts(text)) return undefined;
		try {
			const value: unknown = JSON.parse(text);
			return value;
		} catch {
			return undefined;
		}
	}
	const whole = parse(line);
	if (whole !== undefined) return whole;
	const at = line.indexOf('{"jsonrpc"', 1);
	return at === -1 ? undefined : parse(line.slice(at));
}
