import type { CommandId, PageCommand } from "../commands/registry.ts";
import type { Language } from "../i18n/words.ts";

export interface PaletteRow {
	id: CommandId;
	argument: string;
	title: string;
	keys: string | undefined;
}

/** The commands as lines of the palette. One that needs a value is left out: only the message box can take it. */
export function paletteRows(commands: readonly PageCommand[], language: Language): PaletteRow[] {
	return commands
		.filter(({ slash }) => slash?.argument !== "required")
		.flatMap(({ id, words, keys, choices }) =>
			choices === undefined
				? [{ id, argument: "", title: words[language], keys }]
				: choices.map((choice) => ({ id, argument: choice.value, title: choice.words[language], keys })),
		);
}
