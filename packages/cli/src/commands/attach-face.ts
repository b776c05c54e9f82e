import type { Look } from "../terminal/look.ts";
import { createScreen } from "../terminal/screen.ts";
import { createTranscript, type Transcript } from "../terminal/transcript.ts";

/** Pasted text comes as one piece, line breaks and all. */
const PASTE = { on: "\u001b[?2004h", off: "\u001b[?2004l" };

/** What a person sees of a conversation in a terminal: what was said, and below it the line being typed. */
export interface Face {
	readonly transcript: Transcript;
	print(rows: readonly string[]): void;
	note(text: string): void;
	draw(): void;
	/** The line to the server is lost, or back. */
	setAway(isAway: boolean): void;
	readonly isAway: boolean;
	close(): void;
}

export function openFace({
	stdout,
	look,
	typed,
}: {
	stdout: NodeJS.WriteStream;
	look: Look;
	/** The line as it is drawn, and where the cursor stands in it. */
	typed(columns: number): { row: string; column: number };
}): Face {
	const screen = createScreen(stdout);
	let isAway = false;
	let isOver = false;
	function print(rows: readonly string[]): void {
		if (isOver || rows.length === 0) return;
		screen.print(rows);
		// Whoever draws at once does it in the same write; this is for what comes later.
		queueMicrotask(draw);
	}
	const transcript = createTranscript(look, print);
	function draw(): void {
		if (isOver) return;
		const { row, column } = typed(look.columns());
		screen.foot([...transcript.open(), ...(isAway ? [look.paint(look.words.lost, "dim")] : []), row], column);
	}
	stdout.on("resize", draw);
	stdout.write(PASTE.on);
	return {
		transcript,
		print,
		note: (text) => print([look.paint(text, "dim")]),
		draw,
		setAway(away) {
			isAway = away;
			draw();
		},
		get isAway() {
			return isAway;
		},
		close() {
			isOver = true;
			stdout.off("resize", draw);
			screen.close();
			stdout.write(PASTE.off);
		},
	};
}
