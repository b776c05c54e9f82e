// @vitest-environment happy-dom
import { cleanup, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { LANGUAGES } from "../i18n/words.ts";
import { paletteRows, paletteScore } from "../palette/palette-rows.ts";
import { ShortcutSheet } from "../palette/shortcut-sheet.tsx";
import { testConversation } from "../sidebar/test-conversation.ts";
import { createTestPage, renderInPage } from "../testing/test-page.tsx";
import { availableCommands, COMMANDS, KEY_COMMANDS, SLASH_COMMANDS, slashCommandsOf } from "./registry.ts";
import { shortcutLabel } from "./shortcuts.ts";
import { slashHint } from "./slash-commands.ts";

afterEach(cleanup);

test("[PG260] every command with keys stands in the sheet with its words and its keys", () => {
	renderInPage(createTestPage(), <ShortcutSheet />);
	const rows = screen.getAllByRole("term", { hidden: true }).map((term) => [term.textContent, term.nextElementSibling?.textContent]);
	for (const { words, keys } of KEY_COMMANDS) expect(rows).toContainEqual([words.en, shortcutLabel(keys, false)]);
	expect(KEY_COMMANDS.map(({ id }) => id)).toEqual(COMMANDS.filter(({ keys }) => keys !== undefined).map(({ id }) => id));
});

test("[PG478] no two commands share an id, a slash name or words", () => {
	const unique = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length);
	unique(COMMANDS.map(({ id }) => id));
	unique(SLASH_COMMANDS.map(({ slash }) => slash.name));
	for (const language of LANGUAGES) unique(COMMANDS.map(({ words }) => words[language]));
});

test.each(LANGUAGES)("[PG479] palette and slash list offer the same commands by the same words (%s)", (language) => {
	const titles = paletteRows(COMMANDS, language);
	for (const command of SLASH_COMMANDS) {
		const title = command.words[language];
		expect(slashHint(command, language).startsWith(title)).toBe(true);
		const inPalette = titles.filter(({ id }) => id === command.id).map((row) => row.title);
		// A command that needs a value can only be given in the box.
		if (command.slash.argument === "required") expect(inPalette).toEqual([]);
		else if (command.choices === undefined) expect(inPalette).toEqual([title]);
		else expect(inPalette.filter((row) => row.startsWith(title))).toHaveLength(command.choices.length);
	}
});

test.each([
	["en", "MCP", "setup"],
	["zh-Hant", "mcp", "setup"],
	["zh-Hant", "usage", "budget"],
	["en", "token", "budget"],
	["zh-Hant", "schedules", "schedules"],
	["en", "排程", "schedules"],
	["zh-Hant", "undo", "undo"],
	["en", "telegram", "settings"],
	["en", "diff", "changes"],
	["en", "clear-context", "clear-context"],
	["en", "terminal", "terminal"],
	["en", "dark", "theme"],
	["zh-Hant", "設定", "settings"],
] as const)(
	"[PG1082] in the palette (%s) %s finds %s first, by what it leads to, its name or the other language",
	(language, typed, id) => {
		const scored = paletteRows(COMMANDS, language).map(({ title, also, ...row }) => ({
			id: row.id,
			score: paletteScore(title, typed, also),
		}));
		expect(scored.toSorted((one, other) => other.score - one.score)[0]?.id).toBe(id);
	},
);

test("[PG1082] what nothing leads to finds nothing, and a title comes before other words", () => {
	expect(paletteScore("終端機", "mcp", ["terminal"])).toBe(0);
	expect(paletteScore("Inbox", "inbox", ["inbox"])).toBeGreaterThan(paletteScore("Messages", "inbox", ["inbox"]));
	expect(paletteScore("Inbox", "ix")).toBeGreaterThan(0);
	expect(paletteScore("Messages", "ix", ["inbox"])).toBe(0);
});

test("[PG261] lists offer what makes sense: what belongs to a conversation only in one, what puts it away only once", () => {
	const offered = (given: Parameters<typeof createTestPage>[0]) => availableCommands(createTestPage(given).store.getState());
	const names = (given: Parameters<typeof createTestPage>[0]) => slashCommandsOf(offered(given)).map(({ slash }) => slash.name);
	const nowhere = [
		"new",
		"search",
		"inbox",
		"terminal",
		"processes",
		"settings",
		"shortcuts",
		"worktrees",
		"schedules",
		"theme",
		"help",
		"model",
		"mode",
		"effort",
	];
	expect(names({})).toEqual(nowhere);
	expect(names({ openId: "gone", state: { missingId: "gone" } })).toEqual(nowhere);
	expect(names({ openId: "c1", conversations: [testConversation()] })).toEqual(SLASH_COMMANDS.map(({ slash }) => slash.name));
	expect(names({ openId: "c1", conversations: [testConversation({ archived: true })] })).not.toContain("archive");
	const ids = offered({ state: { paletteOpen: true } }).map(({ id }) => id);
	expect(ids).not.toContain("palette");
	expect(ids).not.toContain("next-conversation");
});

test("[PG261] what a list offers does not change by itself while a turn runs and ends", () => {
	const page = createTestPage({ openId: "c1", conversations: [testConversation()] });
	const before = availableCommands(page.store.getState());
	page.store.setState({ conversations: { c1: testConversation({ status: "streaming", asking: true }) } });
	expect(availableCommands(page.store.getState())).toEqual(before);
});
