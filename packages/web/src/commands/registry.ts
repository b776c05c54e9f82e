import type { AppState } from "../state/app-state.ts";
import type { Command } from "./command.ts";
import { CONVERSATION_COMMANDS } from "./conversation-commands.ts";
import { PAGE_COMMANDS } from "./page-commands.ts";

const ALL = [...PAGE_COMMANDS, ...CONVERSATION_COMMANDS] as const;

export type CommandId = (typeof ALL)[number]["id"];
export type PageCommand = Command<CommandId>;
export type KeyCommand = PageCommand & { readonly keys: string };
export type SlashCommand = PageCommand & { readonly slash: NonNullable<PageCommand["slash"]> };

/** Every command of the page, in the order in which lists show them. */
export const COMMANDS: readonly PageCommand[] = ALL;
export const KEY_COMMANDS = COMMANDS.filter((command): command is KeyCommand => command.keys !== undefined);
export const SLASH_COMMANDS = slashCommandsOf(COMMANDS);

export function getCommand(id: CommandId): PageCommand {
	const command = COMMANDS.find((candidate) => candidate.id === id);
	if (command === undefined) throw new ReferenceError(`The page has no command ${id}.`);
	return command;
}

/** What lists may offer right now. */
export function availableCommands(state: AppState): readonly PageCommand[] {
	return COMMANDS.filter((command) => command.when?.(state) ?? true);
}

export function slashCommandsOf(commands: readonly PageCommand[]): readonly SlashCommand[] {
	return commands.filter((command): command is SlashCommand => command.slash !== undefined);
}
