/** The keys that a touch keyboard lacks. */
export const KEY_BAR_KEYS = ["Esc", "Tab", "Ctrl", "←", "↓", "↑", "→", "|", "~", "/", "-", "^C", "^D", "^Z"] as const;
export type KeyBarKey = (typeof KEY_BAR_KEYS)[number];

const ARROWS: Partial<Record<KeyBarKey, string>> = { "↑": "A", "↓": "B", "→": "C", "←": "D" };
const FIXED: Partial<Record<KeyBarKey, string>> = { Esc: "\x1b", Tab: "\t", "^C": "\x03", "^D": "\x04", "^Z": "\x1a" };

/** What a tap sends; empty for Ctrl, which only arms the next key. Programs like vim switch arrows to application mode. */
export function keyBarSequence(key: KeyBarKey, mode: { ctrl: boolean; applicationCursor: boolean }): string {
	if (key === "Ctrl") return "";
	const arrow = ARROWS[key];
	if (arrow !== undefined) {
		if (mode.ctrl) return `\x1b[1;5${arrow}`;
		return mode.applicationCursor ? `\x1bO${arrow}` : `\x1b[${arrow}`;
	}
	return FIXED[key] ?? (mode.ctrl ? controlCharacter(key) : key);
}

/** Typed text while Ctrl is armed: the first character becomes its control code. */
export function controlCharacter(text: string): string {
	const first = text[0] ?? "";
	const code = first.toUpperCase().charCodeAt(0);
	if (code >= 64 && code <= 95) return String.fromCharCode(code - 64) + text.slice(1);
	if (first === " ") return `\0${text.slice(1)}`;
	if (first === "/" || first === "-") return `\x1f${text.slice(1)}`;
	return text;
}
