import { type CommandId, KEY_COMMANDS } from "./registry.ts";

export interface ShortcutKey {
	key: string;
	ctrlKey: boolean;
	metaKey: boolean;
	shiftKey: boolean;
	altKey: boolean;
	isComposing: boolean;
}

/** The shortcut that a key press means. Single keys rest while a person types; `mod` is Cmd on a Mac and Ctrl elsewhere. */
export function findShortcut(event: ShortcutKey, context: { typing: boolean; inTerminal: boolean; mac: boolean }): CommandId | undefined {
	if (event.isComposing) return undefined;
	const pressed = chord(event, context.mac);
	const found = KEY_COMMANDS.find(({ keys }) => keys === pressed);
	if (found === undefined || (context.typing && !found.keys.includes("+"))) return undefined;
	if (context.inTerminal && found.inTerminal !== true) return undefined;
	return found.id;
}

export const isMac = () => /mac|iphone|ipad/i.test(navigator.platform);

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
