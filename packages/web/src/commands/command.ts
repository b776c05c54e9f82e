import type { Language, Translate } from "../i18n/words.ts";
import type { AppActions } from "../state/app-actions.ts";
import type { AppState } from "../state/app-state.ts";
import type { PageEvents } from "../state/page-events.ts";
import type { UiState } from "../state/ui-slice.tsx";
import type { CommandReply } from "./command-messages.ts";

/** The same text in every language of the page. */
export type Text = Readonly<Record<Language, string>>;

/** Something a person can tell the page to do, wherever they say it: palette, keys, slash, header or menu. */
export interface Command<Id extends string = string> {
	readonly id: Id;
	readonly words: Text;
	/** A chord such as `mod+shift+o`; `mod` is Cmd on a Mac and Ctrl elsewhere. */
	readonly keys?: string;
	/** A terminal needs every key for itself except the ones that leave it. */
	readonly inTerminal?: true;
	readonly slash?: { readonly name: string; readonly argument: "none" | "optional" | "required"; readonly usage?: Text };
	/** Values that the palette lists line by line instead of the command itself. */
	readonly choices?: readonly { readonly value: string; readonly words: Text }[];
	/**
	 * Whether lists offer it; a typed or pressed command runs all the same. Must not depend on what changes by itself
	 * (a turn that ends): the line under a finger would become another one.
	 */
	when?(state: AppState): boolean;
	run(context: CommandContext): void;
}

export interface CommandContext {
	/** As it is at the moment of the call. */
	readonly state: AppState;
	readonly ui: UiState;
	readonly actions: AppActions;
	readonly events: PageEvents;
	readonly language: Language;
	readonly t: Translate<CommandReply>;
	readonly by: "keys" | "palette" | "slash" | "pointer";
	readonly argument: string;
	/** The conversation that is meant: of the menu, else the one on screen. */
	readonly conversationId: string | undefined;
}

/** The conversation on screen, unless it turned out not to exist. */
export function openConversationId(state: AppState): string | undefined {
	return state.openId === state.missingId ? undefined : state.openId;
}
