/** Where inside a control sequence a reader of terminal output is, and how far the sequence has come. */
export type ControlSequence =
	| { mode: "escape" | "escape-more" | "string" | "string-escape"; chars: number }
	| { mode: "csi"; chars: number; parameters: string };

export interface SequenceStep {
	/** Undefined: the sequence is over. */
	next: ControlSequence | undefined;
	/** The character belongs to the sequence. Otherwise it is looked at again, as text or as part of `next`. */
	isConsumed: boolean;
	/** A whole `CSI parameters final`, which a line may act upon. */
	csi?: { parameters: string; final: string };
}

/** A sequence without an end stops here, else one stray `ESC ]` would swallow everything after it. */
export const MAX_SEQUENCE_CHARS = 4_096;
const MAX_PARAMETER_CHARS = 16;

export const ESCAPE: ControlSequence = { mode: "escape", chars: 0 };
export const CSI: ControlSequence = { mode: "csi", chars: 0, parameters: "" };
export const STRING: ControlSequence = { mode: "string", chars: 0 };

/** The sequence after one more character. */
export function nextSequence(sequence: ControlSequence, char: string): SequenceStep {
	const code = char.charCodeAt(0);
	if (code === 0x18 || code === 0x1a) return over(true);
	// A newline ends an unfinished sequence and is itself text.
	if (code === 0x0a || sequence.chars >= MAX_SEQUENCE_CHARS) return over(false);
	const chars = sequence.chars + 1;
	switch (sequence.mode) {
		case "escape":
			return afterEscape(code, chars);
		case "escape-more":
			if (code >= 0x20 && code <= 0x2f) return { next: { mode: "escape-more", chars }, isConsumed: true };
			return over(isPrintable(code));
		case "csi":
			return afterCsi(sequence.parameters, char, chars);
		case "string":
			if (code === 0x07 || code === 0x9c) return over(true);
			return { next: { mode: code === 0x1b ? "string-escape" : "string", chars }, isConsumed: true };
		case "string-escape":
			// ESC \ ends the string; any other escape begins a sequence of its own.
			return code === 0x5c ? over(true) : { next: ESCAPE, isConsumed: false };
	}
}

function afterEscape(code: number, chars: number): SequenceStep {
	if (code === 0x5b) return { next: CSI, isConsumed: true };
	if (code === 0x5d || code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f) return { next: STRING, isConsumed: true };
	if (code >= 0x20 && code <= 0x2f) return { next: { mode: "escape-more", chars }, isConsumed: true };
	// If it is no escape sequence at all, the character speaks for itself.
	return over(isPrintable(code));
}

function afterCsi(parameters: string, char: string, chars: number): SequenceStep {
	const code = char.charCodeAt(0);
	if (code >= 0x40 && code <= 0x7e) return { next: undefined, isConsumed: true, csi: { parameters, final: char } };
	if (code < 0x20 || code > 0x3f) return over(false);
	const more = parameters.length < MAX_PARAMETER_CHARS ? parameters + char : parameters;
	return { next: { mode: "csi", chars, parameters: more }, isConsumed: true };
}

const over = (isConsumed: boolean): SequenceStep => ({ next: undefined, isConsumed });
const isPrintable = (code: number) => code >= 0x20 && code <= 0x7e;
