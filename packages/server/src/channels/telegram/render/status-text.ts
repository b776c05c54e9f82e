import { fieldOf } from "@rightseat/protocol/model/field";
import type { TodoList } from "@rightseat/protocol/model/todo";
import type { RunningTurn } from "@rightseat/protocol/model/turn";
import type { Messages } from "../messages/messages.ts";

const MAX_TAIL_LINES = 6;
const MAX_TAIL_CHARS = 600;
const MAX_SUMMARY_CHARS = 120;
const MAX_NAME_CHARS = 80;
/** Sub-agents at work that the status names; the rest is counted. */
export const MAX_SUB_AGENT_LINES = 5;

/** A running turn in a few lines: how long, what holds it up, the tool that runs or ran last, and the newest words. */
export function statusText(words: Messages, turn: RunningTurn, { now, todos }: { now: number; todos?: TodoList | undefined }): string {
	const lines = [words.working(words.elapsed(now - Date.parse(turn.startedAt))), ...todoLine(todos), ...subAgentLines(words, turn)];
	// A reminder of a question stands with the question.
	if (turn.notice !== undefined && turn.notice.code !== "ask-reminder") lines.push(`ℹ️ ${words.notice(turn.notice)}`);
	const last = turn.parts.findLast((part) => part.kind === "tool" || part.kind === "text");
	const tool = last?.kind === "tool" ? turn.tools.findLast((known) => known.toolCallId === last.toolCallId) : undefined;
	if (tool !== undefined) {
		const summary = toolSummary(tool.arguments);
		lines.push(`▸ ${tool.toolName}${summary === "" ? "" : `: ${summary}`}`);
	}
	const tail = tailOf(last?.kind === "text" ? last.content : (tool?.output ?? ""));
	if (tail !== "") lines.push("", tail);
	return lines.join("\n");
}

/** How far the agent's list is, and what it does now. */
function todoLine(list: TodoList | undefined): string[] {
	const { items = [], more = 0 } = list ?? {};
	const done = items.filter(({ status }) => status === "done").length;
	const now = items.find(({ status }) => status === "in_progress") ?? items.find(({ status }) => status !== "done");
	if (now === undefined) return [];
	return [`☑️ ${done}/${items.length + more} ${oneLine(now.title, MAX_SUMMARY_CHARS)}`];
}

/** Who works for the agent now, a line each. */
function subAgentLines(words: Messages, { subAgents = [] }: RunningTurn): string[] {
	const atWork = subAgents.filter(({ state }) => state === "started");
	const shown = atWork.slice(0, MAX_SUB_AGENT_LINES).map(({ name }) => words.subAgentWorks(oneLine(name, MAX_NAME_CHARS)));
	return atWork.length > shown.length ? [...shown, words.moreSubAgents(atWork.length - shown.length)] : shown;
}

export function tailOf(text: string, maxLines = MAX_TAIL_LINES, maxChars = MAX_TAIL_CHARS): string {
	const lines = text
		.slice(-maxChars * 2)
		.trimEnd()
		.split("\n")
		.filter((line) => line.trim() !== "")
		.slice(-maxLines);
	const joined = lines.join("\n");
	return joined.length <= maxChars ? joined : `…${joined.slice(-maxChars)}`.toWellFormed();
}

/** One line about what a tool was called with: the argument a person would look at first. */
export function toolSummary(args: unknown): string {
	for (const name of ["command", "path", "file_path", "query", "pattern", "url", "description"]) {
		const value = fieldOf(args, name);
		if (typeof value === "string" && value !== "") return oneLine(value, MAX_SUMMARY_CHARS);
	}
	return "";
}

export function oneLine(text: string, maxChars: number): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
}
