import type { SessionEvent } from "@github/copilot-sdk";
import type { TurnEvent } from "../../../core/ports/agent-runtime.ts";

/** How often it may go on by itself in one turn. The bundled runtime stops after five. */
export const MAX_CONTINUATIONS = 25;

/** What a turn on autopilot has to remember. */
export interface Autopilot {
	/** The runtime goes on by itself when the model stops, until the task is complete. */
	on: boolean;
	continued: number;
	complete: boolean;
}
export const NO_AUTOPILOT: Autopilot = { on: false, continued: 0, complete: false };

/** A prompt that the runtime sends by itself because the model has not said that the task is complete. */
export const isContinuation = (event: SessionEvent): boolean =>
	event.type === "user.message" && event.agentId === undefined && event.data.isAutopilotContinuation === true;

export function nextAutopilot(before: Autopilot, event: SessionEvent): Autopilot {
	if (event.agentId !== undefined) return before;
	switch (event.type) {
		case "session.mode_changed":
			return { ...before, on: event.data.newMode === "autopilot" };
		case "user.message": {
			// What is steered in carries the mode of the moment in which it was sent.
			if (event.data.delivery === "steering") return before;
			const continued = before.continued + (isContinuation(event) ? 1 : 0);
			return { ...before, on: event.data.agentMode === "autopilot", continued };
		}
		case "session.task_complete":
			return { ...before, complete: event.data.success !== false };
		default:
			return before;
	}
}

/** Said at the end of a turn that went on by itself and came to no end. */
export function unfinished({ continued, complete }: Autopilot): TurnEvent[] {
	if (continued === 0 || complete) return [];
	const message =
		"The agent went on by itself as often as it may and has not said that the task is complete. Look at what it did, then go on.";
	return [{ kind: "notice", code: "autopilot-ended", message, lasting: true }];
}
