/** What a scripted answer may do, one step after the other. A step that ends the response ends the script. */
export type Step =
	| { kind: "text"; content: string }
	| { kind: "reasoning"; content: string }
	| { kind: "tool-call"; name: string; arguments: unknown; id?: string }
	| { kind: "usage"; inputTokens: number; outputTokens: number }
	| { kind: "pause"; ms: number }
	| { kind: "gate"; gate: Gate }
	| { kind: "tokens"; count: number; perSecond: number; text: (index: number, atMs: number) => string }
	| { kind: "raw"; content: string }
	| { kind: "finish"; reason: FinishReason }
	| { kind: "fail"; status: number; headers: Record<string, string>; body: string }
	| { kind: "cut" }
	| { kind: "end" }
	| { kind: "stall" };

export type FinishReason = "stop" | "length" | "tool_calls" | "content_filter";

export const text = (content: string): Step => ({ kind: "text", content });
export const reasoning = (content: string): Step => ({ kind: "reasoning", content });
/** Several in one reply are parallel calls. `args` as a string goes out as it is, so that broken JSON can be sent. */
export const toolCall = (name: string, args: unknown, id?: string): Step => ({
	kind: "tool-call",
	name,
	arguments: args,
	...(id === undefined ? {} : { id }),
});
export const usage = (inputTokens: number, outputTokens: number): Step => ({ kind: "usage", inputTokens, outputTokens });
export const pause = (ms: number): Step => ({ kind: "pause", ms });
/** Waits until the test opens the gate. */
export const waitFor = (gate: Gate): Step => ({ kind: "gate", gate });
/** Ends the answer with this reason instead of the fitting one. */
export const finish = (reason: FinishReason): Step => ({ kind: "finish", reason });
/** Bytes straight into the event stream. */
export const raw = (content: string): Step => ({ kind: "raw", content });
/** Breaks the connection here. */
export const cut = (): Step => ({ kind: "cut" });
/** Ends the response properly as HTTP, without `finish_reason` and `[DONE]`. */
export const end = (): Step => ({ kind: "end" });
/** Nothing more ever comes, until the client or the model closes. As the first step: not even headers. */
export const stall = (): Step => ({ kind: "stall" });

/** An HTTP error; must be the first step. */
export const fail = (status: number, options: { message?: string; retryAfter?: number; body?: string } = {}): Step => ({
	kind: "fail",
	status,
	headers: options.retryAfter === undefined ? {} : { "retry-after": String(options.retryAfter) },
	body: options.body ?? JSON.stringify({ error: { message: options.message ?? `scripted ${status}`, type: "scripted" } }),
});

/** A steady stream for benchmarks. Without `text` each token is the wall-clock millisecond (with fraction) it was written at, and a space. */
export const tokens = (count: number, perSecond: number, tokenText = (_index: number, atMs: number) => `${atMs.toFixed(3)} `): Step => ({
	kind: "tokens",
	count,
	perSecond,
	text: tokenText,
});

export interface Gate {
	open(): void;
	readonly opened: Promise<void>;
}

export function createGate(): Gate {
	let open: () => void = () => undefined;
	const opened = new Promise<void>((resolve) => {
		open = resolve;
	});
	return { open: () => open(), opened };
}
