import type { MemoryAccount } from "../core/kernel/memory-ledger.ts";
import type { TurnEvent } from "../core/ports/agent-runtime.ts";

/** Hands the events of one turn to its reader, in order. Everything after `turn-end` is dropped, so that there is exactly one, last. */
export interface TurnQueue {
	push(event: TurnEvent): void;
	readonly ended: boolean;
	/** What waits for the reader, as it is counted. */
	readonly bytes: number;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
}

export interface TurnQueueDeps {
	/** Counts what waits. */
	account: Pick<MemoryAccount, "add">;
	/** The reader is behind, or has caught up: whoever can stops reading from the agent meanwhile. */
	onBehind?(isBehind: boolean): void;
}

/** From here on pieces of one text are joined, so that a reader that is held up costs one event and not a hundred a second … */
export const MAX_WAITING = 256;
/** … up to this size: a reader gets a frame for each, and one of many megabytes would be taken for a reader that cannot keep up. */
export const MAX_JOINED_CHARS = 65_536;
/** From here on the reader is behind … */
export const HIGH_WATER_BYTES = 8 * 1_048_576;
/** … until less than this waits. */
export const LOW_WATER_BYTES = 2 * 1_048_576;
/** An event takes memory besides its text. */
export const EVENT_BYTES = 200;

export function createTurnQueue({ account, onBehind }: TurnQueueDeps): TurnQueue {
	let waiting: Waiting[] = [];
	let wake: () => void = () => undefined;
	let ended = false;
	let isLeft = false;
	let isBehind = false;
	let heldBytes = 0;

	function hold(bytes: number): void {
		heldBytes += bytes;
		account.add(bytes);
		const isNowBehind = isBehind ? heldBytes >= LOW_WATER_BYTES : heldBytes > HIGH_WATER_BYTES;
		if (isNowBehind === isBehind) return;
		isBehind = isNowBehind;
		onBehind?.(isBehind);
	}
	return {
		get ended() {
			return ended;
		},
		get bytes() {
			return heldBytes;
		},
		push(event) {
			if (ended) return;
			ended = event.kind === "turn-end";
			// Nobody will fetch it.
			if (isLeft) return;
			const textBytes = 2 * charsOf(event);
			const last = waiting.at(-1);
			const joined = waiting.length > MAX_WAITING && last !== undefined ? join(last.event, event) : undefined;
			if (joined === undefined || last === undefined) {
				waiting.push({ event, bytes: EVENT_BYTES + textBytes });
				hold(EVENT_BYTES + textBytes);
			} else {
				waiting[waiting.length - 1] = { event: joined, bytes: last.bytes + textBytes };
				hold(textBytes);
			}
			wake();
		},
		async *events() {
			try {
				for (;;) {
					const batch = waiting;
					waiting = [];
					for (const { event, bytes } of batch) {
						hold(-bytes);
						yield event;
						if (event.kind === "turn-end") return;
					}
					if (waiting.length === 0) {
						await new Promise<void>((resolve) => {
							wake = resolve;
						});
					}
				}
			} finally {
				isLeft = true;
				waiting = [];
				hold(-heldBytes);
			}
		},
	};
}

interface Waiting {
	event: TurnEvent;
	bytes: number;
}

/** What its text takes; one character beyond Latin-1 is enough for two bytes each. */
function charsOf(event: TurnEvent): number {
	switch (event.kind) {
		case "text-delta":
		case "reasoning-delta":
		case "message-end":
		case "tool-output":
			return event.content.length;
		case "tool-start":
			return (JSON.stringify(event.arguments) ?? "").length;
		case "tool-end":
			return (event.result ?? "").length + (event.error ?? "").length;
		case "tool-diff":
			return (event.oldText ?? "").length + event.newText.length;
		case "plan":
			return event.entries.reduce((sum, { content }) => sum + EVENT_BYTES / 2 + content.length, 0);
		default:
			return 0;
	}
}

function join(last: TurnEvent, next: TurnEvent): TurnEvent | undefined {
	if (!("content" in last && "content" in next) || last.content.length + next.content.length > MAX_JOINED_CHARS) return undefined;
	const content = last.content + next.content;
	if (last.kind === "text-delta" && next.kind === "text-delta" && last.messageId === next.messageId) return { ...last, content };
	if (last.kind === "reasoning-delta" && next.kind === "reasoning-delta" && last.reasoningId === next.reasoningId) {
		return { ...last, content };
	}
	if (last.kind === "tool-output" && next.kind === "tool-output" && last.toolCallId === next.toolCallId) return { ...last, content };
	return undefined;
}
