import type { Messages } from "../messages/messages.ts";

/** What a running turn does, as far as a status message tells it. */
export interface Activity {
	startedAt: number;
	tool?: { name: string; summary: string };
	/** The newest output of the tool, or the newest text of the answer. */
	tail: string;
	notice?: string;
}

const MAX_TAIL_LINES = 6;
const MAX_TAIL_CHARS = 600;
const MAX_SUMMARY_CHARS = 120;

export function statusText(words: Messages, activity: Activity, now: number): string {
	const lines = [words.working(elapsed(words, now - activity.startedAt))];
	if (activity.notice !== undefined) lines.push(`ℹ️ ${activity.notice}`);
	if (activity.tool !== undefined) lines.push(`▸ ${activity.tool.name}${activity.tool.summary === "" ? "" : `: ${activity.tool.summary}`}`);
	const tail = tailOf(activity.tail);
	if (tail !== "") lines.push("", tail);
	return lines.join("\n");
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

/** `8 s`, `1 min 05 s`, `2 h 03 min`. */
export function elapsed(words: Messages, ms: number): string {
	const seconds = Math.max(0, Math.round(ms / 1000));
	const minutes = Math.floor(seconds / 60);
	return words.elapsed(Math.floor(minutes / 60), minutes % 60, seconds % 60);
}

/** One line about what a tool was called with: the argument a person would look at first. */
export function toolSummary(args: unknown): string {
	if (typeof args !== "object" || args === null) return "";
	for (const name of ["command", "path", "file_path", "query", "pattern", "url", "description"]) {
		const value: unknown = Reflect.get(args, name);
		if (typeof value === "string" && value !== "") return oneLine(value, MAX_SUMMARY_CHARS);
	}
	return "";
}

export function oneLine(text: string, maxChars: number): string {
	const line = text.replace(/\s+/g, " ").trim();
	return line.length <= maxChars ? line : `${line.slice(0, maxChars - 1).toWellFormed()}…`;
}
