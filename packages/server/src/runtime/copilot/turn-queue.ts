import type { TurnEvent } from "../../core/ports/agent-runtime.ts";

/** Hands the events of one turn to its reader. Everything after `turn-end` is dropped, so that there is exactly one, last. */
export interface TurnQueue {
	push(event: TurnEvent): void;
	readonly ended: boolean;
	events(): AsyncGenerator<TurnEvent, void, undefined>;
}

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
			waiting.push(event);
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
