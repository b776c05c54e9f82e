/** A terminal that is written line by line, with a few rows at its foot that are drawn again: what is unfinished, and the line that a person types. */
export interface Screen {
	/** Rows that stay, drawn together with the next foot. */
	print(rows: readonly string[]): void;
	/** What stands at the foot. The last row is the input line; `column` is where the cursor is in it. */
	foot(rows: readonly string[], column: number): void;
	/** Takes the foot away. */
	close(): void;
}

/** Rows at the foot, at most: taller than the window it could not be taken away again. */
const MAX_FOOT_ROWS = 200;

export function createScreen(stream: Pick<NodeJS.WriteStream, "write" | "rows">): Screen {
	let shown: readonly string[] = [];
	let waiting: string[] = [];
	let drawn = "";

	const erase = () => (shown.length === 0 ? "" : `\r${shown.length > 1 ? `\u001b[${shown.length - 1}A` : ""}\u001b[J`);

	return {
		print: (rows) => void waiting.push(...rows),
		foot(rows, column) {
			const height = Math.max(1, Math.min(MAX_FOOT_ROWS, (stream.rows ?? 24) - 1));
			const foot = rows.slice(-height);
			const picture = `${foot.join("\r\n")}\r${column > 0 ? `\u001b[${column}C` : ""}`;
			if (waiting.length === 0 && picture === drawn) return;
			// In one write: a terminal that draws in between would flicker.
			stream.write(`${erase()}${waiting.map((row) => `${row}\r\n`).join("")}${picture}`);
			waiting = [];
			shown = foot;
			drawn = picture;
		},
		close() {
			stream.write(`${erase()}${waiting.map((row) => `${row}\r\n`).join("")}`);
			waiting = [];
			shown = [];
			drawn = "";
		},
	};
}
