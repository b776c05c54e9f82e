import type { Text } from "../commands/command.ts";
import type { CommandId, PageCommand } from "../commands/registry.ts";
import { LANGUAGES, type Language } from "../i18n/words.ts";
import { fuzzyMatch } from "../search/fuzzy-match.ts";

export interface PaletteRow {
	id: CommandId;
	argument: string;
	title: string;
	/** Other words that find it. */
	also: readonly string[];
	keys: string | undefined;
}

/** The commands as lines of the palette. One that needs a value is left out: only the message box can take it. */
export function paletteRows(commands: readonly PageCommand[], language: Language): PaletteRow[] {
	return commands
		.filter(({ slash }) => slash?.argument !== "required")
		.flatMap(({ id, words, slash, keys, choices }) =>
			choices === undefined
				? [
						{
							id,
							argument: "",
							title: words[language],
							also: [slash?.name ?? [], inOthers(words, language), LEADS_TO[id] ?? []].flat(),
							keys,
						},
					]
				: choices.map((choice) => ({
						...{ id, argument: choice.value, title: choice.words[language], keys },
						also: inOthers(choice.words, language),
					})),
		);
}

/** What a command also leads to, in either language. Here and not with the command, which every first visit waits for. */
const LEADS_TO: Partial<Record<CommandId, readonly string[]>> = {
	processes: ["jobs", "BashOutput"],
	settings: ["Telegram", "notifications", "通知", "devices", "裝置", "security", "安全性", "API key"],
	schedules: ["cron"],
	changes: ["diff", "review", "git commit", "提交"],
	setup: ["MCP", "skills", "技能", "hooks", "AGENTS.md"],
	budget: ["tokens", "cost", "費用"],
};
const inOthers = (words: Text, language: Language) => LANGUAGES.filter((other) => other !== language).map((other) => words[other]);

/** How well a line fits what was typed; 0: not at all. Of other words than its title only those count that hold it as it was typed. */
export function paletteScore(title: string, typed: string, also: readonly string[] = []): number {
	const wanted = typed.trim().toLowerCase();
	const others = also.filter((words) => words.toLowerCase().includes(wanted)).map((words) => scoreOf(wanted, words) - BELOW_TITLE);
	return Math.max(scoreOf(typed, title), ...others, 0);
}

/** A line whose title says it comes before one that only leads there. */
const BELOW_TITLE = 1;

/** A match never counts as none, however far apart its letters. */
function scoreOf(typed: string, text: string): number {
	const match = fuzzyMatch(typed, text);
	return match === undefined ? 0 : Math.max(0.01, match.score);
}
