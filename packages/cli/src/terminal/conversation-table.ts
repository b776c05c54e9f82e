import type { Conversation } from "@rightseat/protocol/model/conversation";
import type { Words } from "../words.ts";
import type { Paint } from "./colour.ts";
import { safeLine } from "./safe-text.ts";
import { fit, pad, widthOf } from "./width.ts";

/** Of a folder, of which the end says most. */
const FOLDER_COLUMNS = 30;

interface TableLook {
	words: Words;
	/** Of the terminal; undefined: nothing is cut. */
	columns: number | undefined;
	paint: Paint;
	now: number;
	/** Rows are counted from 1 instead of named by their ids: a person types a number. */
	numbered?: boolean;
}

/** Conversations in columns, a line each, with a head. */
export function conversationTable(conversations: readonly Conversation[], { words, columns, paint, now, numbered }: TableLook): string[] {
	const head = { ...words.columns, ...(numbered ? { id: "" } : {}) };
	const rows = conversations.map((row, index) => ({
		id: numbered ? `${index + 1}` : row.id,
		state: row.asking ? words.states.asking : words.states[row.status],
		agent: safeLine(row.agent),
		age: ageOf(now - Date.parse(row.updatedAt)),
		folder: columns === undefined ? safeLine(row.cwd) : endOf(safeLine(row.cwd), FOLDER_COLUMNS),
		title: safeLine(row.title),
		isBusy: row.asking || row.status === "streaming",
		isBad: row.status === "error",
	}));
	const names = ["id", "state", "agent", "age", "folder"] as const;
	const widths = names.map((name) => Math.max(widthOf(head[name]), ...rows.map((row) => widthOf(row[name]))));
	const before = widths.reduce((sum, width) => sum + width + 2, 0);
	const titleColumns = columns === undefined ? Number.POSITIVE_INFINITY : Math.max(10, columns - before - 1);
	const line = (row: Record<(typeof names)[number] | "title", string>, looks: (name: string, text: string) => string) =>
		[...names.map((name, at) => looks(name, pad(row[name], widths[at] ?? 0))), fit(row.title, titleColumns)].join("  ").trimEnd();
	return [
		line(head, (_, text) => paint(text, "dim")),
		...rows.map((row) =>
			line(row, (name, text) => {
				if (name === "state" && (row.isBusy || row.isBad)) return paint(text, row.isBusy ? "yellow" : "red");
				return name === "title" ? text : paint(text, ...(name === "id" ? (["cyan"] as const) : (["dim"] as const)));
			}),
		),
	].map((text) => `${text}\n`);
}

/** 5s, 12m, 3h, 4d. */
function ageOf(ms: number): string {
	const seconds = Math.max(0, Math.round(ms / 1_000));
	if (seconds < 60) return `${seconds}s`;
	if (seconds < 3_600) return `${Math.floor(seconds / 60)}m`;
	return seconds < 86_400 ? `${Math.floor(seconds / 3_600)}h` : `${Math.floor(seconds / 86_400)}d`;
}

function endOf(text: string, columns: number): string {
	let kept = text;
	while (widthOf(kept) > columns - 1) kept = kept.slice(1);
	return kept === text ? text : `…${kept}`;
}
