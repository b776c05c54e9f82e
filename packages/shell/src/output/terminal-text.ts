import { type ControlSequence, CSI, ESCAPE, nextSequence, STRING } from "./control-sequence.ts";
import { createTerminalLine } from "./terminal-line.ts";

/** Turns decoded terminal output into plain text. The same input gives the same text however it is cut into pieces. */
export interface TerminalText {
	/** Text that is final. */
	write(input: string): string;
	/** The current line as it stands; a later carriage return may still rewrite it. */
	pending(): string;
	/** How often the current line was rewritten; goes back to 0 with each new line. */
	rewrites(): number;
	/** The rest, when no more input comes. */
	end(): string;
}

/** A sequence without an end stops here, else one stray `ESC ]` would swallow everything after it. */
export const MAX_SEQUENCE_CHARS = 4_096;
const MAX_CURSOR_STEP = 1_000;

// Everything that is not simply shown. A newline is left out, and so are whole colour sequences and line ends of two
// characters: a run of coloured lines passes in one piece.
const SPECIAL =
	/[\x00-\x06\x10-\x17\x19\x1c-\x1f\x7f]+|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb]|\udb40[\udc00-\udc7f]|\r(?!\n)|\x1b(?!\[[\d;]{0,64}m)/;
const WITHOUT_EFFECT = /\x1b\[[\d;]{0,64}m|\r(?=\n)/g;

// Bytes that no terminal acts upon: a reader sees that they are there. Matched in runs, because each match costs.
const ODD = /^[\x00-\x06\x10-\x17\x19\x1c-\x1f\x7f]/;
const ODD_EACH = /./gs;

export function createTerminalText(): TerminalText {
	const special = new RegExp(SPECIAL.source, "g");
	const line = createTerminalLine();
	/** Undefined while plain text is read. */
	let sequence: ControlSequence | undefined;
	let sequenceChars = 0;

	function show(run: string): void {
		if (run === "") return;
		line.write(run.includes("\x1b") || run.includes("\r") ? run.replace(WITHOUT_EFFECT, "") : run);
	}

	function act(parameters: string, final: string): void {
		const first = Number.parseInt(parameters, 10);
		const step = Math.min(Number.isNaN(first) || first === 0 ? 1 : first, MAX_CURSOR_STEP);
		if (final === "K") line.erase(Number.isNaN(first) ? 0 : first);
		else if (final === "D") line.moveBy(-step);
		else if (final === "C") line.moveBy(step);
		else if (final === "G" || final === "`") line.moveTo(step - 1);
		// The cursor left this line for good; what follows must not be glued to it.
		else if ((final === "H" || final === "f") && line.current() !== "") line.newline("\n");
	}

	function control(char: string): void {
		const code = char.codePointAt(0) ?? 0;
		if (ODD.test(char)) show(char.replace(ODD_EACH, (one) => `\\x${one.charCodeAt(0).toString(16).padStart(2, "0")}`));
		else if (char === "\r") line.carriageReturn();
		else if (char === "\b") line.moveBy(-1);
		else if (char === "\x1b") begin(ESCAPE);
		else if (code === 0x9b) begin(CSI);
		else if (code === 0x90 || code === 0x98 || code === 0x9d || code === 0x9e || code === 0x9f) begin(STRING);
		else if (code > 0x9f) show(visible(char));
	}

	function begin(next: ControlSequence): void {
		sequence = next;
		sequenceChars = 0;
	}

	/** Reads one character inside a sequence; returns where to go on. */
	function readSequence(inside: ControlSequence, input: string, at: number): number {
		const { next, isConsumed, csi } = nextSequence(inside, input.charAt(at));
		sequence = ++sequenceChars > MAX_SEQUENCE_CHARS ? undefined : next;
		if (sequence === undefined && next !== undefined) return at;
		if (next !== inside && (next === ESCAPE || next === CSI || next === STRING)) sequenceChars = 0;
		if (csi !== undefined) act(csi.parameters, csi.final);
		return isConsumed ? at + 1 : at;
	}

	/** Reads plain text up to the next character that is not simply shown, and that one; returns where to go on. */
	function readText(input: string, at: number): number {
		special.lastIndex = at;
		const match = special.exec(input);
		show(input.slice(at, match?.index));
		if (match === null) return input.length;
		control(match[0]);
		return match.index + match[0].length;
	}

	return {
		write(input) {
			for (let at = 0; at < input.length; ) at = sequence === undefined ? readText(input, at) : readSequence(sequence, input, at);
			return line.take();
		},
		pending: line.current,
		rewrites: () => line.rewrites,
		end() {
			sequence = undefined;
			line.newline("");
			return line.take();
		},
	};
}

/** Characters that hide or reorder text are shown by their number, so that a reader sees what is there. */
function visible(char: string): string {
	const code = char.codePointAt(0) ?? 0;
	return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, "0")}`;
}
