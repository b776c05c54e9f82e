import type { Message } from "@rightseat/protocol/model/message";

export const MAX_HISTORY_ENTRIES = 100;

export interface InputHistory {
	readonly entries: readonly string[];
	/** Place in `entries` while walking; `entries.length` is the line being written. */
	readonly position: number;
	/** What was in the box when the walk began, given back at its end. */
	readonly unsent: string;
}

export function emptyHistory(): InputHistory {
	return { entries: [], position: 0, unsent: "" };
}

/** Adds a sent line, newest last; the same line twice in a row is kept once. */
export function remember(history: InputHistory, line: string): InputHistory {
	const text = line.trim();
	const repeated = history.entries.at(-1) === text;
	const entries = text === "" || repeated ? history.entries : [...history.entries, text].slice(-MAX_HISTORY_ENTRIES);
	return { entries, position: entries.length, unsent: "" };
}

/** Arrow up. Undefined when there is nothing older. */
export function older(history: InputHistory, current: string): { history: InputHistory; text: string } | undefined {
	const text = history.entries[history.position - 1];
	if (text === undefined) return undefined;
	const unsent = history.position === history.entries.length ? current : history.unsent;
	return { history: { ...history, position: history.position - 1, unsent }, text };
}

/** Arrow down. Undefined when the newest line is in the box already. */
export function newer(history: InputHistory): { history: InputHistory; text: string } | undefined {
	if (history.position >= history.entries.length) return undefined;
	const position = history.position + 1;
	return { history: { ...history, position }, text: history.entries[position] ?? history.unsent };
}

/** History belongs to the first and last line only: inside a longer text the arrows move the caret. */
export function caretAllowsHistory(text: string, caret: number, direction: "older" | "newer"): boolean {
	return direction === "older" ? !text.slice(0, caret).includes("\n") : !text.slice(caret).includes("\n");
}

/** A message as the line that a person typed; empty where nobody did, and where only its beginning is here: sent again, that would pass for the whole. */
export function lineOf(message: Message): string {
	if (message.role !== "user") return "";
	const { truncated, content, metadata } = message;
	if (metadata.bash !== true) return truncated?.content === undefined ? content : "";
	return metadata.command === undefined || truncated?.command !== undefined ? "" : `!${metadata.command}`;
}
