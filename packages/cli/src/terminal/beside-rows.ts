import type { LoggedFrame } from "@rightseat/protocol/frames/server";
import { describeAsk } from "./asks.ts";
import type { Look } from "./look.ts";
import { commandRow } from "./message-rows.ts";
import { safeLine } from "./safe-text.ts";

/** Rows of an event that is no part of an answer's text: requests, the queue, the plan, changes, commands. */
export function besideRows(frame: LoggedFrame, look: Look): string[] {
	const { paint, words } = look;
	const note = (text: string) => [paint(text, "dim")];
	switch (frame.type) {
		case "copilot:user_input_request":
			return describeAsk({ kind: "question", request: frame.data }, look);
		case "copilot:permission_request":
			return describeAsk({ kind: "permission", request: frame.data }, look);
		case "copilot:plan_request":
			return describeAsk({ kind: "plan", request: frame.data }, look);
		case "copilot:plan_resolved": {
			const { outcome, approved, action, feedback, by } = frame.data;
			const said = approved === true ? (action ?? words.planTaken) : (feedback ?? words.planSentBack);
			return note(outcome === "answered" ? words.answered(safeLine(said), by === undefined ? "" : ` (${by})`) : words.expired);
		}
		case "copilot:budget_request":
			return describeAsk({ kind: "budget", request: frame.data }, look);
		case "copilot:budget_resolved":
		case "copilot:user_input_resolved":
		case "copilot:permission_resolved": {
			const answer = frame.type === "copilot:user_input_resolved" ? frame.data.answer : frame.data.decision;
			const by = frame.data.by === undefined ? "" : ` (${frame.data.by})`;
			return note(frame.data.outcome === "answered" ? words.answered(safeLine(answer ?? ""), by) : words.expired);
		}
		case "copilot:queue":
			return frame.data.items.length === 0 ? [] : note(words.waiting(frame.data.items.length));
		case "copilot:plan": {
			const done = frame.data.entries.filter(({ status }) => status === "completed").length;
			const now = frame.data.entries.find(({ status }) => status === "in_progress");
			return note(`▸ ${done}/${frame.data.entries.length}  ${safeLine(now?.content ?? "")}`);
		}
		case "copilot:changes":
			return note(`± ${words.changed(frame.data.files, frame.data.added, frame.data.removed)}`);
		case "bash:start":
			return ["", commandRow(frame.data.command, look)];
		default:
			return [];
	}
}
