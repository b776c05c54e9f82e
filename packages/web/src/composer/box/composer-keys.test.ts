import { describe, expect, test } from "vitest";
import { type ComposerKey, composerIntent } from "./composer-keys.ts";

const key = (name: string, rest: Partial<ComposerKey> = {}): ComposerKey => ({
	key: name,
	shiftKey: false,
	altKey: false,
	ctrlKey: false,
	metaKey: false,
	isComposing: false,
	keyCode: 0,
	...rest,
});
const closed = { listOpen: false };
const open = { listOpen: true };

describe("[PG53] Enter sends, Shift+Enter breaks, and an input method is never interrupted", () => {
	test.each([
		["Enter", key("Enter"), closed, "send"],
		["Shift+Enter", key("Enter", { shiftKey: true }), closed, "type"],
		["Enter while composing", key("Enter", { isComposing: true }), closed, "type"],
		["Enter that Safari marks as IME", key("Enter", { keyCode: 229 }), closed, "type"],
		["Ctrl+Enter", key("Enter", { ctrlKey: true }), closed, "send"],
		["Ctrl+Shift+Enter", key("Enter", { ctrlKey: true, shiftKey: true }), closed, "steer"],
		["Arrow up", key("ArrowUp"), closed, "older"],
		["Arrow down", key("ArrowDown"), closed, "newer"],
		["Shift+Arrow up selects", key("ArrowUp", { shiftKey: true }), closed, "type"],
		["Enter in an open list", key("Enter"), open, "accept"],
		["Tab in an open list", key("Tab"), open, "accept"],
		["Arrow down in an open list", key("ArrowDown"), open, "next-option"],
		["Arrow down while composing in an open list", key("ArrowDown", { isComposing: true }), open, "type"],
		["Escape in an open list", key("Escape"), open, "dismiss"],
	])("[PG53] %s", (_name, event, state, intent) => {
		expect(composerIntent(event, state)).toBe(intent);
	});
});
