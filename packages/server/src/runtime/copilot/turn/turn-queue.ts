import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";

/** Hands the events of one turn to its reader. Everything after `turn-end` is dropped, so that there is exactly one, last. */
export interface TurnQueue {
	push(event: TurnEvent): void;
	readonly ended: boolean;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
}

/** From here on pieces of one text are joined, so that a reader that is held up costs one event and not a hundred a second. */
export const MAX_WAITING = 256;

export function createTurnQueue(): TurnQueue {
	let waiting: TurnEvent[] = [];
	let wake: () => void = () => undefined;
	let ended = false;
	return {
		get ended() {
			return ended;
		},
		push(event) {
			if (ended) return;
			ended = event.kind === "turn-end";
			const last = waiting.at(-1);
			const joined = waiting.length > MAX_WAITING && last !== undefined ? join(last, event) : undefined;
			if (joined === undefined) waiting.push(event);
			else waiting[waiting.length - 1] = joined;
			wake();
		},
		async *events() {
			for (;;) {
				const batch = waiting;
				waiting = [];
				for (const event of batch) {
					yield event;
					if (event.kind === "turn-end") return;
				}
				if (waiting.length === 0) {
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
				}
			}
		},
	};
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
