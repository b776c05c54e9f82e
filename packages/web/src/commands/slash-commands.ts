import { type Language, translator } from "../i18n/words.ts";
import { fuzzyFilter } from "../search/fuzzy-match.ts";
import { commandReplyWords } from "./command-messages.ts";
import { SLASH_COMMANDS, type SlashCommand } from "./registry.ts";

/** What the list shows for a text that is still only a command name; undefined closes the list. */
export function suggestCommands(text: string, offered: readonly SlashCommand[]): readonly SlashCommand[] | undefined {
	const match = /^\/([a-z-]*)$/i.exec(text);
	if (match === null) return undefined;
	const found = fuzzyFilter(match[1] ?? "", offered, (command) => command.slash.name);
	return found.length === 0 ? undefined : found;
}

export function findSlashCommand(name: string | undefined): SlashCommand | undefined {
	return SLASH_COMMANDS.find(({ slash }) => slash.name === name);
}

export type SlashInput = { kind: "run"; name: string; argument: string } | { kind: "needs-argument"; name: string };

/** A line that is one of our commands; undefined for everything else (a path, for instance), which then is a prompt. */
export function parseSlashCommand(text: string): SlashInput | undefined {
	const match = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
	const command = findSlashCommand(match?.[1]);
	if (command === undefined) return undefined;
	const { name, argument: takes } = command.slash;
	const argument = (match?.[2] ?? "").trim();
	if (takes === "required" && argument === "") return { kind: "needs-argument", name };
	// "/new paragraphs are missing" is a sentence, not the command.
	if (takes === "none" && argument !== "") return undefined;
	return { kind: "run", name, argument };
}

/** What stands beside the slash name: the words of the palette, and what can be typed after the name. */
export function slashHint({ words, slash }: SlashCommand, language: Language): string {
	if (slash.usage === undefined) return words[language];
	return translator(commandReplyWords, language)("withUsage", { title: words[language], usage: slash.usage[language] });
}
