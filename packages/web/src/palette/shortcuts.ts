export const SHORTCUTS = [
	{ id: "palette", keys: ["mod+k"], whileTyping: true },
	{ id: "new-conversation", keys: ["mod+shift+o"], whileTyping: true },
	{ id: "search", keys: ["mod+shift+f"], whileTyping: true },
	{ id: "previous-conversation", keys: ["alt+arrowup"], whileTyping: true },
	{ id: "next-conversation", keys: ["alt+arrowdown"], whileTyping: true },
	{ id: "focus-message", keys: ["/"], whileTyping: false },
	{ id: "stop", keys: ["mod+."], whileTyping: true },
	{ id: "toggle-sidebar", keys: ["mod+b"], whileTyping: true },
	{ id: "terminal", keys: ["mod+j"], whileTyping: true },
	{ id: "processes", keys: ["mod+shift+e"], whileTyping: true },
	{ id: "model", keys: ["mod+shift+m"], whileTyping: true },
	{ id: "settings", keys: ["mod+,"], whileTyping: true },
	{ id: "shortcuts", keys: ["?"], whileTyping: false },
] as const;

export type ShortcutId = (typeof SHORTCUTS)[number]["id"];

export interface ShortcutKey {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	shiftKey: boolean;
	altKey: boolean;
	isComposing: boolean;
}

/** The shortcut that a key press means. Single keys rest while a person types; `mod` is Cmd on a Mac and Ctrl elsewhere. */
export function findShortcut(event: ShortcutKey, context: { typing: boolean; mac: boolean }): ShortcutId | undefined {
	if (event.isComposing) return undefined;
	const pressed = chord(event, context.mac);
	const found = SHORTCUTS.find(({ keys }) => keys.some((key) => key === pressed));
	if (found === undefined || (context.typing && !found.whileTyping)) return undefined;
	return found.id;
}

/** Keys as a person reads them: `⌘⇧O` on a Mac, `Ctrl+Shift+O` elsewhere. */
export function shortcutLabel(keys: string, mac: boolean): string {
	const names: Record<string, string> = mac
		? { mod: "⌘", shift: "⇧", alt: "⌥", arrowup: "↑", arrowdown: "↓" }
		: { mod: "Ctrl", shift: "Shift", alt: "Alt", arrowup: "↑", arrowdown: "↓" };
	return keys
		.split("+")
		.map((key) => names[key] ?? key.toUpperCase())
		.join(mac ? "" : "+");
}

function chord(event: ShortcutKey, mac: boolean): string {
	const mod = mac ? event.metaKey : event.ctrlKey;
	const other = mac ? event.ctrlKey : event.metaKey;
	if (other) return "";
	const key = event.key.toLowerCase();
	// Characters that need Shift on some layouts (?, /) are told by the character, not by the Shift key.
	const shift = event.shiftKey && (mod || key.length > 1);
	return [mod && "mod", shift && "shift", event.altKey && "alt", key].filter(Boolean).join("+");
}
