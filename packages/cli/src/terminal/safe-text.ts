/**
 * Text of an agent, a tool or another person, harmless on a terminal: no character of it moves the cursor, sets a title, reaches the
 * clipboard or turns the reading direction. Line breaks and tabs stay, every other control is drawn as its picture; nothing is hidden.
 * Each character stands for itself, so a sequence that comes in two pieces is harmless as well.
 */
export function safeText(text: string): string {
	return text.replace(/\r\n/g, "\n").replace(UNSAFE, picture);
}

/** The same in one line. */
export function safeLine(text: string): string {
	return safeText(text).replace(/\s*\n\s*/g, " ⏎ ");
}

/** Colours and the like of a program's output are left out whole first: their pictures would only be noise. */
export function withoutAnsi(text: string): string {
	return text.replace(/\u001b(?:\[[0-?]*[ -/]*[@-~]|\][^\u0007\u001b]*(?:\u0007|\u001b\\)|[()][0-9A-B])/g, "");
}

/** Controls of both blocks but tab and line feed, line and paragraph separators, and what turns text around. */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

function picture(character: string): string {
	const code = character.charCodeAt(0);
	if (code < 0x20) return String.fromCharCode(0x2400 + code);
	return code === 0x7f ? "\u2421" : "\ufffd";
}
