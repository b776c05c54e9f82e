/** What a key means in the message box. Plain data in, so that IME behaviour is testable without a browser. */
export interface ComposerKey {
	key: string;
	shiftKey: boolean;
	altKey: boolean;
	ctrlKey: boolean;
	metaKey: boolean;
	isComposing: boolean;
	keyCode: number;
}

export type ComposerIntent = "send" | "steer" | "older" | "newer" | "accept" | "next-option" | "previous-option" | "dismiss" | "type";

/** Safari ends a composition before the Enter that confirmed it arrives, and marks that Enter only by this code. */
const IME_KEY_CODE = 229;

export function composerIntent(event: ComposerKey, state: { listOpen: boolean }): ComposerIntent {
	if (event.isComposing || event.keyCode === IME_KEY_CODE) return "type";
	const modifier = event.ctrlKey || event.metaKey;
	if (state.listOpen) {
		if (event.key === "ArrowDown") return "next-option";
		if (event.key === "ArrowUp") return "previous-option";
		if (event.key === "Escape") return "dismiss";
		if (event.key === "Tab" && !event.shiftKey) return "accept";
		if (event.key === "Enter" && !event.shiftKey && !modifier) return "accept";
	}
	if (event.key === "Enter" && modifier) return event.shiftKey ? "steer" : "send";
	if (event.key === "Enter" && !event.shiftKey && !event.altKey) return "send";
	if (event.shiftKey || event.altKey || modifier) return "type";
	if (event.key === "ArrowUp") return "older";
	if (event.key === "ArrowDown") return "newer";
	return "type";
}
