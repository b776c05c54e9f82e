import type { Clock } from "../kernel/clock.ts";
import type { TurnEvent } from "../ports/agent-runtime.ts";

/** Measures how long the model thought. */
export interface ThoughtTimer {
	/** Call with every event of the turn; gives the thought that this event ends. */
	endedBy(event: TurnEvent): { reasoningId: string; durationMs: number } | undefined;
}

/** Times the model's thoughts. The runtime reports that one continues, never that it ended: the next event of any other kind, or of another thought, ends it. */
export function createThoughtTimer(clock: Clock): ThoughtTimer {
	let open: { reasoningId: string; since: number } | undefined;
	return {
		endedBy(event) {
			const reasoningId = event.kind === "reasoning-delta" ? event.reasoningId : undefined;
			if (open?.reasoningId === reasoningId) return undefined;
			const ended = open;
			const now = clock.elapsed();
			open = reasoningId === undefined ? undefined : { reasoningId, since: now };
			return ended === undefined ? undefined : { reasoningId: ended.reasoningId, durationMs: Math.round(now - ended.since) };
		},
	};
}
