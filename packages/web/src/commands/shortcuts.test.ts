import { expect, test } from "vitest";
import { KEY_COMMANDS } from "./registry.ts";
import { findShortcut, type ShortcutKey, shortcutLabel } from "./shortcuts.ts";

const press = (key: string, rest: Partial<ShortcutKey> = {}): ShortcutKey => ({
	key,
	ctrlKey: false,
	metaKey: false,
	shiftKey: false,
	altKey: false,
	isComposing: false,
	...rest,
});
const idle = { typing: false, inTerminal: false, mac: false };

test("[PG65] shortcuts use Ctrl, on a Mac Cmd, and the other one is left to the browser", () => {
	expect(findShortcut(press("k", { ctrlKey: true }), idle)).toBe("palette");
	expect(findShortcut(press("k", { metaKey: true }), { ...idle, typing: true, mac: true })).toBe("palette");
	expect(findShortcut(press("k", { ctrlKey: true }), { ...idle, mac: true })).toBeUndefined();
	expect(findShortcut(press("O", { ctrlKey: true, shiftKey: true }), idle)).toBe("new-conversation");
});

test("[PG65] single keys rest while a person types or composes", () => {
	expect(findShortcut(press("?", { shiftKey: true }), idle)).toBe("shortcuts");
	expect(findShortcut(press("?", { shiftKey: true }), { ...idle, typing: true })).toBeUndefined();
	expect(findShortcut(press("/", { isComposing: true }), idle)).toBeUndefined();
});

test("[PG65] no two shortcuts share keys, and each reads well on both systems", () => {
	const keys = KEY_COMMANDS.map((command) => command.keys);
	expect(new Set(keys).size).toBe(keys.length);
	expect([shortcutLabel("mod+shift+o", true), shortcutLabel("mod+shift+o", false)]).toEqual(["⌘⇧O", "Ctrl+Shift+O"]);
});
