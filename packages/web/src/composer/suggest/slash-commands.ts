import { fuzzyFilter } from "../../search/fuzzy-match.ts";

/** Commands of the page itself; everything else that begins with a slash is a prompt (a path, for instance). */
export const SLASH_COMMANDS = [
	{ name: "new", argument: "none" },
	{ name: "model", argument: "optional" },
	{ name: "cwd", argument: "required" },
	{ name: "stop", argument: "none" },
	{ name: "export", argument: "optional" },
	{ name: "clear-context", argument: "none" },
	{ name: "restart-shell", argument: "none" },
	{ name: "terminal", argument: "none" },
	{ name: "processes", argument: "none" },
	{ name: "permissions", argument: "optional" },
	{ name: "rename", argument: "required" },
	{ name: "pin", argument: "none" },
	{ name: "archive", argument: "none" },
	{ name: "search", argument: "optional" },
	{ name: "theme", argument: "optional" },
	{ name: "settings", argument: "none" },
	{ name: "shortcuts", argument: "none" },
	{ name: "help", argument: "none" },
] as const;

export type SlashCommandName = (typeof SLASH_COMMANDS)[number]["name"];
export interface SlashCommand {
	readonly name: SlashCommandName;
	readonly argument: "none" | "optional" | "required";
}

/** What the list shows for a text that is still only a command name; undefined closes the list. */
export function suggestCommands(text: string): readonly SlashCommand[] | undefined {
	const match = /^\/([a-z-]*)$/i.exec(text);
	if (match === null) return undefined;
	const found = fuzzyFilter(match[1] ?? "", SLASH_COMMANDS, (command) => command.name);
	return found.length === 0 ? undefined : found;
}

export type SlashInput = { kind: "run"; name: SlashCommandName; argument: string } | { kind: "needs-argument"; name: SlashCommandName };

/** A line that is one of our commands; undefined for everything else, which then is a prompt. */
export function parseSlashCommand(text: string): SlashInput | undefined {
	const match = /^\/([a-z-]+)(?:\s+([\s\S]*))?$/.exec(text.trim());
	const command = SLASH_COMMANDS.find((candidate) => candidate.name === match?.[1]);
	if (command === undefined) return undefined;
	const argument = (match?.[2] ?? "").trim();
	if (command.argument === "required" && argument === "") return { kind: "needs-argument", name: command.name };
	// "/new paragraphs are missing" is a sentence, not the command.
	if (command.argument === "none" && argument !== "") return undefined;
	return { kind: "run", name: command.name, argument };
}
