/** Where inside a control sequence a reader of terminal output is. */
export type ControlSequence =
	| { mode: "escape" | "escape-more" | "string" | "string-escape" }
	/** `CSI parameters final`, which a line may act upon. */
	| { mode: "csi"; parameters: string };

export interface SequenceStep {
	/** Undefined: the sequence is over. */
	next: ControlSequence | undefined;
	/** The character belongs to the sequence. Otherwise it is looked at again, as text or as part of `next`. */
	isConsumed: boolean;
	/** A whole CSI sequence has ended with this character. */
	csi?: { parameters: string; final: string };
}

export const ESCAPE: ControlSequence = { mode: "escape" };
export const CSI: ControlSequence = { mode: "csi", parameters: "" };
export const STRING: ControlSequence = { mode: "string" };

/** The sequence after one more character. */
export function nextSequence(sequence: ControlSequence, char: string): SequenceStep {
	const code = char.charCodeAt(0);
	if (code === 0x18 || code === 0x1a) return OVER;
	// A newline ends an unfinished sequence and is itself text.
	if (code === 0x0a) return NOT_PART;
	switch (sequence.mode) {
		case "escape":
			return afterEscape(code);
		case "escape-more":
			if (code >= 0x20 && code <= 0x2f) return MORE_ESCAPE;
			return isPrintable(code) ? OVER : NOT_PART;
		case "csi":
			return afterCsi(sequence.parameters, char);
		case "string":
			if (code === 0x07 || code === 0x9c) return OVER;
			return code === 0x1b ? STRING_ESCAPE : IN_STRING;
		case "string-escape":
			// ESC \ ends the string; any other escape begins a sequence of its own.
			return code === 0x5c ? OVER : ANOTHER_ESCAPE;
	}
}

// Made once: a string may have thousands of characters, and each gets one of these.
const OVER: SequenceStep = { next: undefined, isConsumed: true };
const NOT_PART: SequenceStep = { next: undefined, isConsumed: false };
const MORE_ESCAPE: SequenceStep = { next: { mode: "escape-more" }, isConsumed: true };
const BEGIN_CSI: SequenceStep = { next: CSI, isConsumed: true };
const IN_STRING: SequenceStep = { next: STRING, isConsumed: true };
const STRING_ESCAPE: SequenceStep = { next: { mode: "string-escape" }, isConsumed: true };
const ANOTHER_ESCAPE: SequenceStep = { next: ESCAPE, isConsumed: false };
const MAX_PARAMETER_CHARS = 16;

function afterEscape(code: number): SequenceStep {
	if (code === 0x5b) return BEGIN_CSI;
	if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) return IN_STRING;
	if (code >= 0x20 && code <= 0x2f) return MORE_ESCAPE;
	// If it is no escape sequence at all, the character speaks for itself.
	return isPrintable(code) ? OVER : NOT_PART;
}

function afterCsi(parameters: string, char: string): SequenceStep {
	const code = char.charCodeAt(0);
	if (code >= 0x40 && code <= 0x7e) return { next: undefined, isConsumed: true, csi: { parameters, final: char } };
	if (code < 0x20 || code > 0x3f) return NOT_PART;
	const more = parameters.length < MAX_PARAMETER_CHARS ? parameters + char : parameters;
	return { next: { mode: "csi", parameters: more }, isConsumed: true };
}

const isPrintable = (code: number) => code >= 0x20 && code <= 0x7e;
