import { formatDuration } from "@rightseat/protocol/duration";
import type { LoggedFrame } from "@rightseat/protocol/frames/server";
import type { SubAgentState } from "@rightseat/protocol/model/sub-agent";
import type { TodoList } from "@rightseat/protocol/model/todo";
import { describeAsk } from "./asks.ts";
import type { Look } from "./look.ts";
import { commandRow } from "./message-rows.ts";
import { safeLine } from "./safe-text.ts";

/** Rows of an event that is no part of an answer's text: requests, the queue, the plan, sub-agents, changes, commands. */
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
		case "copilot:form_request":
			return describeAsk({ kind: "form", request: frame.data }, look);
		case "copilot:form_resolved": {
			const { outcome, action = "cancel", by } = frame.data;
			return note(outcome === "answered" ? words.answered(words.formActions[action], by === undefined ? "" : ` (${by})`) : words.expired);
		}
		case "copilot:subagent":
			return note(subAgentLine(frame.data, words));
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

/** The to-do list in a row; told again only when it would say something else. */
export function todoRows(before: TodoList | undefined, now: TodoList | undefined, { paint }: Look): string[] {
	const line = todoLine(now);
	return line === "" || line === todoLine(before) ? [] : [paint(line, "dim")];
}

/** What the agent does now, of how much; empty: it has no list. */
function todoLine(todos: TodoList | undefined): string {
	if (todos === undefined || todos.items.length === 0) return "";
	const { items, more = 0 } = todos;
	const done = items.filter(({ status }) => status === "done").length;
	const now = items.find(({ status }) => status === "in_progress") ?? items.find(({ status }) => status !== "done");
	return `☑ ${done}/${items.length + more}  ${safeLine(now?.title ?? "")}`.trimEnd();
}

function subAgentLine({ name, state, cancelled, error, durationMs, tokens }: SubAgentState, words: Look["words"]): string {
	const how = words.subAgent[cancelled === true ? "cancelled" : state];
	const took = [durationMs === undefined ? "" : formatDuration(durationMs), tokens === undefined ? "" : words.tokens(tokens)];
	return `↳ ${[`${safeLine(name)}: ${how}`, ...took, error === undefined ? "" : safeLine(error)].filter((part) => part !== "").join("  ")}`;
}
