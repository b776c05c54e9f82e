import type { Clock } from "../kernel/clock.ts";
import type { TurnEvent } from "../ports/agent-runtime.ts";

/** The same events, but an end at the latest `graceMs` after the signal: a runtime that hangs must not keep the conversation. */
export async function* withEndAfterAbort(
	events: AsyncIterable<TurnEvent>,
	signal: AbortSignal,
	graceMs: number,
	clock: Clock,
): AsyncGenerator<TurnEvent> {
	const iterator = events[Symbol.asyncIterator]();
	let expired = false;
	let onExpired: () => void = () => undefined;
	let cancel: (() => void) | undefined;
	const arm = () => {
		cancel = clock.after(graceMs, () => {
			expired = true;
			onExpired();
		});
	};
	if (signal.aborted) arm();
	else signal.addEventListener("abort", arm, { once: true });
	try {
		while (!expired) {
			// A fresh promise for every step: racing against one long-lived promise would keep every event of the turn alive.
			const next = await new Promise<IteratorResult<TurnEvent> | undefined>((resolve, reject) => {
				onExpired = () => void resolve(undefined);
				iterator.next().then(resolve, reject);
			});
			if (next === undefined) break;
			if (next.done === true) return;
			yield next.value;
			if (next.value.kind === "turn-end") return;
		}
		yield { kind: "turn-end", outcome: "aborted" };
	} finally {
		cancel?.();
		signal.removeEventListener("abort", arm);
	}
}
