import { formatDuration } from "@rightseat/protocol/duration";
import type { Message } from "@rightseat/protocol/model/message";
import type { PlanEntry, ToolRecord } from "@rightseat/protocol/model/turn";
import type { Look } from "./look.ts";
import { createMarkdown } from "./markdown.ts";
import { safeLine, safeText, withoutAnsi } from "./safe-text.ts";
import { wrapPieces } from "./wrap.ts";

/** Of a command's output, as a stored message shows it: the end. */
const MAX_OUTPUT_ROWS = 10;

/** A prompt of anybody, on whatever channel. */
export function promptRows(content: string, look: Look, by = ""): string[] {
	const rows = safeText(content)
		.split("\n")
		.flatMap((line) => wrapPieces([{ text: line, styles: ["bold"] }], look.columns() - 3, look.paint));
	const tail = by === "" ? "" : look.paint(`  (${by})`, "dim");
	return ["", ...rows.map((row, index) => `${index === 0 ? look.paint("›", "blue", "bold") : " "} ${row}${index === 0 ? tail : ""}`)];
}

/** A stored message, as the history shows it. `tool` draws and numbers a call. */
export function messageRows(message: Message, look: Look, tool: (record: ToolRecord, turnId: string) => string): string[] {
	const { paint, words } = look;
	if (message.role === "user") {
		const { bash, command = "", exitCode, durationMs, origin } = message.metadata;
		if (bash !== true) return promptRows(message.content, look, origin === "telegram" ? "Telegram" : "");
		const output = outputRows(message.content, look);
		return ["", commandRow(command, look), ...output, doneRow({ exitCode: exitCode ?? null, durationMs }, look)];
	}
	const { parts, tools, outcome, error, changes } = message.metadata;
	const rows: string[] = [""];
	for (const part of parts) {
		if (part.kind === "text") rows.push(...textRows(part.content, look));
		const record = part.kind === "tool" ? tools.find((known) => known.toolCallId === part.toolCallId) : undefined;
		if (record !== undefined) rows.push(tool(record, message.id));
	}
	if (changes !== undefined) rows.push(paint(`± ${words.changed(changes.files, changes.added, changes.removed)}`, "dim"));
	if (error !== undefined) rows.push(`${paint("!", "red", "bold")} ${safeLine(error.message)}`);
	if (outcome !== "completed") rows.push(paint(`■ ${words.ended[outcome]}`, "dim"));
	return rows;
}

/** `$ command`. */
export const commandRow = (command: string, { paint }: Look) => `${paint("$", "magenta", "bold")} ${paint(safeLine(command), "bold")}`;

/** How a command ended. */
export function doneRow(
	{ exitCode, durationMs }: { exitCode: number | null; durationMs?: number | undefined },
	{ paint, words }: Look,
): string {
	const time = durationMs === undefined ? "" : `  ${formatDuration(durationMs)}`;
	return paint(`  ${words.exitCode(exitCode)}${time}`, exitCode === 0 ? "dim" : "red");
}

/** A step a row, with how it stands. */
export function planRows(plan: readonly PlanEntry[], { paint }: Look): string[] {
	const marks = { completed: "✓", in_progress: "▸", pending: "·" } as const;
	return plan.map(
		({ content, status }) => `  ${paint(`${marks[status]} ${safeLine(content)}`, status === "in_progress" ? "bold" : "dim")}`,
	);
}

function textRows(content: string, look: Look): string[] {
	const markdown = createMarkdown(look);
	return [...markdown.push(content), ...markdown.end()];
}

/** The end of a program's output, and how many lines were left out. */
export function outputRows(output: string, { paint, words, columns }: Look, most = MAX_OUTPUT_ROWS): string[] {
	const lines = safeText(withoutAnsi(output)).replace(/\n$/, "").split("\n");
	const left = lines.length - most;
	const shown = lines.slice(-most).flatMap((line) => wrapPieces([{ text: line, styles: [] }], columns() - 3, paint));
	return [...(left > 0 ? [paint(`  ${words.moreOutput(left)}`, "dim")] : []), ...shown.slice(-4 * most).map((row) => `  ${row}`)];
}
