import type { MemoryAccount } from "../../../core/kernel/memory-ledger.ts";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";

/** Hands the events of one turn to its reader. Everything after `turn-end` is dropped, so that there is exactly one, last. */
export interface TurnQueue {
	push(event: TurnEvent): void;
	readonly ended: boolean;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
}

/** From here on pieces of one text are joined, so that a reader that is held up costs one event and not a hundred a second. */
export const MAX_WAITING = 256;

export function createTurnQueue(account: Pick<MemoryAccount, "add">): TurnQueue {
	let waiting: Waiting[] = [];
	let wake: () => void = () => undefined;
	let ended = false;
	let isLeft = false;
	let heldBytes = 0;

	function hold(bytes: number): void {
		heldBytes += bytes;
		account.add(bytes);
	}
	return {
		get ended() {
			return ended;
		},
		push(event) {
			if (ended) return;
			ended = event.kind === "turn-end";
			// Nobody will fetch it.
			if (isLeft) return;
			const bytes = bytesOf(event);
			hold(bytes);
			const last = waiting.at(-1);
			const joined = waiting.length > MAX_WAITING && last !== undefined ? join(last.event, event) : undefined;
			if (joined === undefined || last === undefined) waiting.push({ event, bytes });
			else waiting[waiting.length - 1] = { event: joined, bytes: last.bytes + bytes };
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

/** What its text takes, two bytes a character: one beyond Latin-1 is enough for that. */
function bytesOf(event: TurnEvent): number {
	switch (event.kind) {
		case "text-delta":
		case "reasoning-delta":
		case "message-end":
		case "tool-output":
			return 2 * event.content.length;
		case "tool-start":
			return 2 * (JSON.stringify(event.arguments) ?? "").length;
		case "tool-end":
			return 2 * ((event.result ?? "").length + (event.error ?? "").length);
		default:
			return 0;
	}
}

function join(last: TurnEvent, next: TurnEvent): TurnEvent | undefined {
	if (last.kind === "text-delta" && next.kind === "text-delta" && last.messageId === next.messageId) {
		return { ...last, content: last.content + next.content };
	}
	if (last.kind === "reasoning-delta" && next.kind === "reasoning-delta" && last.reasoningId === next.reasoningId) {
		return { ...last, content: last.content + next.content };
	}
	if (last.kind === "tool-output" && next.kind === "tool-output" && last.toolCallId === next.toolCallId) {
		return { ...last, content: last.content + next.content };
	}
	return undefined;
}
