import type { PlanEntry, TurnError } from "@rightseat/protocol/model/turn";
import { cutText } from "@rightseat/protocol/text";
import { truncateText, truncateValue } from "../kernel/truncate.ts";
import type { TurnEvent } from "../ports/agent-runtime.ts";

/** A turn that keeps more than this is ended: no person reads it, and every reader pays for it. */
export const MAX_TURN_CHARS = 4_000_000;

/** Steps of a plan that are kept, the first ones, and of each so many characters: every change of a plan tells the whole plan to everyone. */
const MAX_PLAN_ENTRIES = 100;
const MAX_PLAN_ENTRY_CHARS = 500;

/** The plan within its bounds. */
export function boundPlan(entries: readonly PlanEntry[]): PlanEntry[] {
	return entries.slice(0, MAX_PLAN_ENTRIES).map((entry) => ({ ...entry, content: cutText(entry.content, MAX_PLAN_ENTRY_CHARS) }));
}

/** How much a turn keeps: text, reasoning, and the arguments and results of tools as they are stored. */
export interface TurnSize {
	add(event: TurnEvent): void;
	chars(): number;
}

/** One per turn. */
export function createTurnSize(): TurnSize {
	/** Of one message or reasoning each: a retry withdraws what it said, and its final text replaces its deltas. */
	const texts = new Map<string, number>();
	let toolChars = 0;
	let textChars = 0;

	function setText(key: string, chars: number): void {
		textChars += chars - (texts.get(key) ?? 0);
		texts.set(key, chars);
	}

	return {
		chars: () => textChars + toolChars,
		add(event) {
			switch (event.kind) {
				case "text-delta": {
					const key = `text ${event.messageId}`;
					setText(key, (texts.get(key) ?? 0) + event.content.length);
					return;
				}
				case "reasoning-delta": {
					const key = `reasoning ${event.reasoningId}`;
					setText(key, (texts.get(key) ?? 0) + event.content.length);
					return;
				}
				case "message-end":
					setText(`text ${event.messageId}`, event.content.length);
					return;
				case "message-reset":
					setText(`text ${event.messageId}`, 0);
					if (event.reasoningId !== undefined) setText(`reasoning ${event.reasoningId}`, 0);
					return;
				case "tool-start":
					// Again with the same id: what is known of the call takes the place of what was known before.
					setText(`call ${event.toolCallId}`, (JSON.stringify(truncateValue(event.arguments)) ?? "").length);
					return;
				case "tool-diff":
					setText(
						`diff ${event.toolCallId} ${event.path}`,
						event.path.length + truncateText(event.oldText ?? "").length + truncateText(event.newText).length,
					);
					return;
				case "plan":
					setText(
						"plan",
						boundPlan(event.entries).reduce((sum, { content }) => sum + content.length, 0),
					);
					return;
				case "tool-end":
					// Its arguments stay counted when the id is used again.
					texts.delete(`call ${event.toolCallId}`);
					toolChars += truncateText(event.result ?? "").length + truncateText(event.error ?? "").length;
					return;
				// Live output is shown and not kept: a loop of noisy builds is work, not an answer without end.
				default:
					return;
			}
		},
	};
}

/** The event as far as a turn that has `left` characters to its bound still says it: the first piece past the bound is cut, all after it is left out. */
export function fitEvent(event: TurnEvent, left: number): TurnEvent | undefined {
	switch (event.kind) {
		case "text-delta":
		case "reasoning-delta":
			if (left < 0) return undefined;
			return event.content.length <= left ? event : { ...event, content: cutText(event.content, left + 1) };
		case "message-end":
		case "tool-output":
			return left < 0 ? undefined : event;
		default:
			return event;
	}
}

/** What people read when the bound of a turn is reached. */
export const turnTooLong = (): TurnError => ({
	code: "too-large",
	message:
		"This turn was stopped: its text and what its tools were given and gave back grew past four million characters together. What it did is kept; send “Continue” to go on in a new turn.",
	params: { reason: "turn" },
});
