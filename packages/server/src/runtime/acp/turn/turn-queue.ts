import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";

/** Hands the events of one turn to its reader, in order, and says when the reader is behind. Everything after `turn-end` is dropped. */
export interface TurnQueue {
	push(event: TurnEvent): void;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
	/** Characters that wait. */
	readonly waiting: number;
}

/** From here on the agent's pipe is not read … */
export const HIGH_WATER_CHARS = 4 * 1024 * 1024;
/** … until no more than this waits. */
export const LOW_WATER_CHARS = 1024 * 1024;
/** An event costs memory besides its text. */
const EVENT_CHARS = 100;

export function createTurnQueue(onBehind: (isBehind: boolean) => void): TurnQueue {
	let queue: TurnEvent[] = [];
	let waiting = 0;
	let isBehind = false;
	let isEnded = false;
	let wake: () => void = () => undefined;

	function tell(now: boolean): void {
		if (now === isBehind) return;
		isBehind = now;
		onBehind(now);
	}

	return {
		push(event) {
			if (isEnded) return;
			isEnded = event.kind === "turn-end";
			queue.push(event);
			waiting += sizeOf(event);
			if (waiting > HIGH_WATER_CHARS) tell(true);
			wake();
		},
		get waiting() {
			return waiting;
		},
		async *events() {
			for (;;) {
				const batch = queue;
				queue = [];
				for (const event of batch) {
					waiting -= sizeOf(event);
					if (waiting < LOW_WATER_CHARS) tell(false);
					yield event;
					if (event.kind === "turn-end") return;
				}
				if (queue.length === 0) {
					await new Promise<void>((resolve) => {
						wake = resolve;
					});
				}
			}
		},
	};
}

function sizeOf(event: TurnEvent): number {
	switch (event.kind) {
		case "text-delta":
		case "reasoning-delta":
		case "message-end":
		case "tool-output":
			return EVENT_CHARS + event.content.length;
		case "tool-end":
			return EVENT_CHARS + (event.result?.length ?? 0) + (event.error?.length ?? 0);
		case "tool-diff":
			return EVENT_CHARS + (event.oldText?.length ?? 0) + event.newText.length;
		case "tool-start":
			return EVENT_CHARS + JSON.stringify(event.arguments ?? {}).length;
		case "plan":
			return event.entries.reduce((sum, { content }) => sum + EVENT_CHARS + content.length, EVENT_CHARS);
		default:
			return EVENT_CHARS;
	}
}
